import { ButtonLink } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import type { Clock } from "@findersfee/ui/formats/clock";
import { formatDay } from "@findersfee/ui/formats/dates";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { amountsOf } from "./amounts.ts";
import { monthOf } from "./month.ts";
import { type Summary, summaryQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The next run in one sentence, above the runs. */
export function NextRunCard() {
  const session = useSession();
  const { data, error, refetch } = useQuery(summaryQuery(session));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section
      aria-label={texts.next_run}
      className="my-3 flex min-h-20 w-full flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line bg-sunk px-4 py-3"
    >
      {data !== undefined && <Sentence summary={data} />}
      <ButtonLink to={`${session.home}/payouts/next`}>{texts.preview}</ButtonLink>
    </section>
  );
}

function Sentence({ summary }: { summary: Summary }) {
  const { organization } = useSession();
  const clock = useClock();
  const included = includedOf(summary);
  const payouts = payoutsOf(summary);
  return (
    <div className="min-w-0">
      <p className={payouts === 0 ? "font-medium" : "text-table text-muted"}>
        {payouts === 0
          ? texts.next_pays_nobody
          : texts.next_pays(texts.payouts_to(payouts, summary.affiliates))}
      </p>
      {payouts > 0 && <p className="text-figure font-medium tabular-nums">{amountsOf(included)}</p>}
      <p className="text-table text-muted">{startOf(summary, { organization, clock })}</p>
      {summary.needs_approval && <p className="text-table text-muted">{texts.needs_approval}</p>}
    </div>
  );
}

/** The currencies in which somebody is paid. */
export function includedOf({ totals }: Summary): { currency: string; amount: number; payees: number }[] {
  return totals
    .filter(({ included }) => included.payees > 0)
    .map(({ currency, included }) => ({ currency, ...included }));
}

/** The number of payouts: one for each affiliate and currency that is paid. */
export function payoutsOf(summary: Summary): number {
  return includedOf(summary).reduce((sum, { payees }) => sum + payees, 0);
}

function startOf(
  { run, period, next_run_on }: Summary,
  { organization, clock }: { organization: { time_zone: string }; clock: Clock },
): string {
  const next =
    next_run_on === null
      ? texts.starts_by_hand
      : texts.starts_on(
          formatDay(new Date(`${next_run_on}T00:00:00Z`), { ...clock, time_zone: "UTC" }),
          organization.time_zone,
        );
  return run === null ? next : `${texts.started_this_month(monthOf(period))} ${next}`;
}
