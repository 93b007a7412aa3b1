import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { pageLink, type WebsiteLink, websiteOf } from "./page-link.ts";
import { SharedLink } from "./shared-link.tsx";

/** Makes a link to another page of the website, or one with a sub-id. */
export function LinkBuilder({ links }: { links: readonly WebsiteLink[] }) {
  const { home } = useTexts();
  const [page, setPage] = useState("");
  const [sub_id, setSubId] = useState("");
  const [code, setCode] = useState(links[0]?.code ?? "");
  const link = links.find((item) => item.code === code) ?? links[0];
  if (link === undefined) return null;
  const website = websiteOf(link);
  const { url, problem } = pageLink(link, { page: page.trim(), sub_id: sub_id.trim() });
  const is_used = page.trim() !== "" || sub_id.trim() !== "";
  return (
    <section aria-label={home.other_page} className="mt-5 grid gap-4 border-t border-line pt-4">
      <h3 className="font-medium">{home.other_page}</h3>
      {links.length > 1 && (
        <SelectField
          label={home.which_link}
          value={link.code}
          onChange={(event) => setCode(event.target.value)}
        >
          {links.map((item) => (
            <option key={item.code} value={item.code}>
              {item.code}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label={home.page(website)}
        optional
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={4000}
        placeholder={home.page_example(website)}
        value={page}
        onChange={(event) => setPage(event.target.value)}
        error={
          problem === "host"
            ? home.page_elsewhere(website)
            : problem === "page"
              ? home.page_invalid
              : undefined
        }
      />
      <TextField
        label={home.sub_id}
        optional
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        hint={home.sub_id_hint}
        value={sub_id}
        onChange={(event) => setSubId(event.target.value)}
        error={problem === "sub_id" ? home.sub_id_invalid : undefined}
      />
      <div aria-live="polite" className="empty:-mt-4">
        {is_used && url !== null && <SharedLink label={home.built} url={url} />}
      </div>
    </section>
  );
}
