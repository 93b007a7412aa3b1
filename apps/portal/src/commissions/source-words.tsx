import { MomentText } from "@findersfee/ui/components/timeline";
import { useTexts } from "../language/language.tsx";
import type { Texts } from "../texts/texts.ts";
import type { Story } from "./queries.ts";

type Source = NonNullable<Story["source"]>;

/** The click, code or decision that attributed the customer to the affiliate. */
export function SourceWords({ source }: { source: Source }) {
  const { earnings } = useTexts();
  const { landing_url, sub_id } = source;
  return (
    <MomentText title={titleOf(source, earnings)}>
      {(landing_url !== null || sub_id !== null) && (
        <>
          {landing_url !== null && (
            <span dir="auto" className="line-clamp-2">
              {earnings.on_page(shortOf(landing_url))}
            </span>
          )}
          {sub_id !== null && <span className="block">{earnings.with_sub_id(sub_id)}</span>}
        </>
      )}
    </MomentText>
  );
}

function titleOf({ kind, code }: Source, earnings: Texts["earnings"]): string {
  switch (kind) {
    case "promo_code":
      return code === null ? earnings.promo_code_some : earnings.promo_code(code);
    case "signup":
      return code === null ? earnings.signed_up_some : earnings.signed_up(code);
    case "click":
      return code === null ? earnings.clicked_some : earnings.clicked(code);
  }
}

/** An address without its scheme. */
function shortOf(url: string): string {
  return url.replace(/^https?:\/\//, "");
}
