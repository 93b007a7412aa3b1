import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Link } from "@findersfee/ui/navigation";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useLanguage, WithTexts } from "../language/language.tsx";
import { useArrivals } from "../live/use-arrivals.ts";
import { useLive } from "../live/use-live.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { programQuery } from "../session/program.ts";
import { useSession } from "../session/session.tsx";
import { Page } from "../shell/page.tsx";
import { ShareCard } from "../tracking/share/share-card.tsx";
import { NextPayoutCard } from "./next-payout-card.tsx";
import { homeQuery } from "./queries.ts";

// The lower part of the page comes after the first paint.
const Newest = lazyPart(() => import("./newest.tsx"), "Newest");
const DashboardText = lazyPart(() => import("./dashboard-text.tsx"), "DashboardText");
const RateCard = lazyPart(() => import("./rate-card.tsx"), "RateCard");
const RecruitsCard = lazyPart(() => import("./recruits-card.tsx"), "RecruitsCard");
const TiersCard = lazyPart(() => import("./tiers-card.tsx"), "TiersCard");
const LastDays = lazyPart(() => import("./last-days.tsx"), "LastDays");

const RATE_TEXTS = ["rules", "terms"] as const;

/** When does the affiliate get how much, what can it share, and what are the results? */
export function HomePage() {
  const { language, texts } = useLanguage();
  const { commissions, frame } = texts;
  const { program, api } = useSession();
  const { affiliate_id, organization_name } = program;
  const figures = useQuery(homeQuery(api, affiliate_id));
  const terms = useQuery(programQuery(api, affiliate_id));
  const error = figures.error ?? terms.error;
  const is_usable = figures.data !== undefined && terms.data !== undefined;
  useEffect(() => {
    if (is_usable) performance.mark("usable");
  }, [is_usable]);
  const { announcement, isNew } = useArrivals(figures.data?.newest);
  const campaign = terms.data?.campaign;
  const text = campaign?.translations[language]?.dashboard_text ?? campaign?.dashboard_text ?? null;
  return (
    <Page title={frame.home} document_title={`${frame.home} · ${organization_name}`}>
      {error !== null && (
        <div className="mb-4">
          <FailureNotice
            error={error}
            onRetry={() => {
              void figures.refetch();
              void terms.refetch();
            }}
          />
        </div>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {!is_usable && error === null && <SkeletonRows label={frame.loading} />}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 desktop:grid-cols-[minmax(0,1fr)_380px] desktop:grid-rows-[auto_auto_1fr] desktop:gap-x-6">
        {figures.data !== undefined && <NextPayoutCard payouts={figures.data.payouts} />}
        {terms.data !== undefined && (
          <div className="grid min-w-0 gap-4 desktop:col-start-2 desktop:row-span-3 desktop:row-start-1">
            <ShareCard program={terms.data} />
            <Suspense>
              <WithTexts subjects={RATE_TEXTS} fallback={null}>
                <RateCard program={terms.data} />
              </WithTexts>
            </Suspense>
            <Suspense>{campaign?.has_recruiting === true && <RecruitsCard />}</Suspense>
            <Suspense>{campaign?.has_tiers === true && <TiersCard />}</Suspense>
            <Suspense>{text !== null && text.trim() !== "" && <DashboardText text={text} />}</Suspense>
          </div>
        )}
        {figures.data !== undefined && (
          <>
            <Live pulse={figures.data.pulse} />
            <Suspense fallback={<div className="min-h-100" />}>
              <LastDays last_days={figures.data.last_days} />
            </Suspense>
            <div className="grid min-w-0 gap-3">
              <Suspense fallback={<div className="min-h-100" />}>
                <Newest earnings={figures.data.newest} isNew={isNew} />
              </Suspense>
              <Link
                to="/missing-sale"
                className="inline-flex min-h-11 items-center justify-self-start text-table text-muted underline underline-offset-2 hover:text-ink"
              >
                {commissions.sale_missing}
              </Link>
            </div>
          </>
        )}
      </div>
    </Page>
  );
}

/** Asks for changes once there are figures to compare with. */
function Live({ pulse }: { pulse: string }) {
  useLive(pulse);
  return null;
}
