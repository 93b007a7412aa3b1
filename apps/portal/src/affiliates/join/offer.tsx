import type { PublicProgram } from "@findersfee/contract/portal/join";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useHeading } from "@findersfee/ui/shell/heading";
import { Suspense } from "react";
import { useLanguage } from "../../language/language.tsx";
import { SignInInstead } from "./sign-in-instead.tsx";
import { offerSentences } from "./terms.ts";

/** Campaigns without rules do not need its code. */
const PublicRates = lazyPart(() => import("./rates.tsx"), "PublicRates");

/** The terms of a campaign. */
export function Offer({ program: { organization, campaign } }: { program: PublicProgram }) {
  const { language, texts } = useLanguage();
  const { components, join, terms } = texts;
  const { name: owner, currency } = organization;
  const name = campaign.translations[language]?.name ?? campaign.name;
  const heading = useHeading(`${join.title(name)} · ${owner}`);
  const { website_url } = campaign;
  const notes = [
    website_url !== null && join.website(new URL(website_url).host),
    campaign.approval_needed && join.reviewed(owner),
    join.free,
  ].filter((note) => note !== false);
  const summary = (
    <p className="mt-4 text-lead font-medium text-balance">
      {offerSentences(campaign, { currency, locale: components.locale, terms })}
    </p>
  );
  return (
    <div className="min-w-0 desktop:sticky desktop:top-14">
      <p dir="auto" className="line-clamp-2 text-muted wrap-anywhere">
        {owner}
      </p>
      <h1
        ref={heading}
        tabIndex={-1}
        dir="auto"
        className="mt-1 line-clamp-4 text-title font-semibold text-balance wrap-anywhere outline-none"
      >
        {join.title(name)}
      </h1>
      <Suspense fallback={summary}>
        {campaign.rules.length > 0 ? (
          <PublicRates campaign={campaign} currency={currency} fallback={summary} />
        ) : (
          summary
        )}
      </Suspense>
      <ul className="mt-4 grid gap-2 text-muted">
        {notes.map((note) => (
          <li key={note} dir="auto" className="line-clamp-3 wrap-anywhere">
            {note}
          </li>
        ))}
      </ul>
      <SignInInstead />
    </div>
  );
}
