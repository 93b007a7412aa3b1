import { Card } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { useTexts } from "../../language/language.tsx";
import type { Outputs } from "../../requests/portal.ts";
import { SharedLink } from "./shared-link.tsx";

const LinkBuilder = lazyPart(() => import("./link-builder.tsx"), "LinkBuilder");

type Program = Outputs["program"]["get"];

/** The links, also to other pages, and promo codes that an affiliate shares. */
export function ShareCard({ program }: { program: Program }) {
  const { links, promo_codes, is_promo_code_pending, campaign } = program;
  const { website_url } = campaign;
  const { home } = useTexts();
  return (
    <Card title={home.share}>
      <ul className="grid gap-4">
        {links.map(({ url }) => (
          <li key={url}>
            <SharedLink label={home.link} url={url} />
          </li>
        ))}
        {promo_codes.map(({ code }) => (
          <li key={code} className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
            <span className="min-w-0">
              <span className="block text-table text-muted">{home.promo_code}</span>
              <span className="font-mono wrap-anywhere">{code}</span>
            </span>
            <CopyButton text={code} />
          </li>
        ))}
      </ul>
      {is_promo_code_pending && <p className="mt-4 first:mt-0 text-muted">{home.promo_code_pending}</p>}
      {links.length + promo_codes.length === 0 && !is_promo_code_pending && (
        <p className="text-muted">{home.nothing_to_share}</p>
      )}
      {links.length > 0 && website_url !== null && (
        // About as high as the loaded content.
        <Suspense fallback={<div className="min-h-70" />}>
          <LinkBuilder links={links.map((link) => ({ ...link, website_url }))} />
        </Suspense>
      )}
    </Card>
  );
}
