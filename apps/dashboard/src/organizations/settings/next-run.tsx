import { Fact, Facts } from "@findersfee/ui/components/card";
import { useClock } from "@findersfee/ui/components/clock";
import { Section } from "@findersfee/ui/components/section";
import { Money } from "@findersfee/ui/components/values";
import { formatDay } from "@findersfee/ui/formats/dates";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { nextRunQuery } from "./queries.ts";
import { texts } from "./texts.ts";

type Totals = Awaited<
  ReturnType<ReturnType<typeof useSession>["api"]["dashboard"]["payout_runs"]["summary"]["query"]>
>["totals"];

/** The effect of the saved settings on the next run. */
export function NextRun() {
  const session = useSession();
  const clock = useClock();
  const { data, error, refetch } = useQuery(nextRunQuery(session));
  return (
    <Section title={texts.next_run}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Facts>
          <Fact label={texts.next_run_on}>
            {data.next_run_on === null
              ? texts.next_run_by_hand
              : texts.on_day(
                  formatDay(new Date(`${data.next_run_on}T00:00:00Z`), { ...clock, time_zone: "UTC" }),
                  session.organization.time_zone,
                )}
          </Fact>
          <Fact label={texts.pays}>
            <Sums totals={data.totals} part="included" />
            {data.totals.filter(({ included }) => included.payees > 0).length > 1 && (
              <p className="text-muted">
                {texts.payouts_to(
                  data.totals.reduce((sum, { included }) => sum + included.payees, 0),
                  data.affiliates,
                )}
              </p>
            )}
          </Fact>
          <Fact label={texts.waits}>
            <Sums totals={data.totals} part="below_minimum" />
          </Fact>
          <Fact label={texts.held}>
            <Sums totals={data.totals} part="held" />
          </Fact>
        </Facts>
      )}
    </Section>
  );
}

/** One line for each currency: amounts of several are never added. */
function Sums({ totals, part }: { totals: Totals; part: "included" | "below_minimum" | "held" }) {
  const some = totals.filter((total) => total[part].amount > 0);
  if (some.length === 0) return <span className="text-muted">{texts.nothing}</span>;
  return (
    <ul>
      {some.map((total) => (
        <li key={total.currency}>
          <Money amount={total[part].amount} currency={total.currency} />{" "}
          <span className="text-muted">{texts.payees(total[part].payees)}</span>
        </li>
      ))}
    </ul>
  );
}
