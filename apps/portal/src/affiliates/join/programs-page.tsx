import type { PublicPrograms } from "@findersfee/contract/portal/join";
import { ButtonLink } from "@findersfee/ui/components/button";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useParams } from "wouter";
import { useLanguage } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { Page } from "../../shell/page.tsx";
import { ClosedProgram } from "./closed-program.tsx";
import { Loading } from "./loading.tsx";
import { usePrograms } from "./queries.ts";
import { SignInInstead } from "./sign-in-instead.tsx";
import { offerSentences } from "./terms.ts";

/** The programs of an organization that everybody can join. */
export function ProgramsPage() {
  const { organization = "" } = useParams<{ organization: string }>();
  const { data, error, reload } = usePrograms(organization);
  if (error !== null && failureOf(error).status === 404) return <ClosedProgram />;
  if (data !== undefined) return <Programs {...data} />;
  return (
    <div className="mx-auto max-w-180 px-4 pt-9 tablet:px-6">
      {error === null ? <Loading /> : <FailureNotice error={error} onRetry={() => void reload()} />}
    </div>
  );
}

function Programs({ organization, campaigns }: PublicPrograms) {
  const { language, texts } = useLanguage();
  const { components, join, terms } = texts;
  const { name, slug, currency } = organization;
  const nameOf = (campaign: PublicPrograms["campaigns"][number]) =>
    campaign.translations[language]?.name ?? campaign.name;
  return (
    <Page title={join.programs(name)} document_title={join.programs(name)} width="text">
      <p className="text-lead text-muted">{join.programs_hint}</p>
      <ul className="mt-6 grid gap-3">
        {campaigns.map((campaign) => (
          <li
            key={campaign.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line p-4 tablet:p-5"
          >
            <div className="min-w-0 flex-1 basis-72">
              <h2 dir="auto" className="line-clamp-3 text-lead font-semibold wrap-anywhere">
                {nameOf(campaign)}
              </h2>
              <p className="mt-0.5 text-muted">
                {offerSentences(campaign, { currency, locale: components.locale, terms })}
              </p>
            </div>
            <ButtonLink
              look="solid"
              to={`/${slug}/${campaign.id}/join`}
              aria-label={join.title(nameOf(campaign))}
            >
              {join.join}
            </ButtonLink>
          </li>
        ))}
      </ul>
      <SignInInstead />
    </Page>
  );
}
