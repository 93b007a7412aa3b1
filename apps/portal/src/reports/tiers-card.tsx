import { Card } from "@findersfee/ui/components/card";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import type { Outputs } from "../requests/portal.ts";
import { useSession } from "../session/session.tsx";
import { tiersQuery } from "./queries.ts";

type Tiers = Outputs["tiers"]["get"];
type Progress = NonNullable<Tiers["progress"]>;
type Leaderboard = NonNullable<Tiers["leaderboard"]>;

/** An affiliate's tier with the way to the next one, and its place among others. */
export function TiersCard() {
  const { program, api } = useSession();
  const { affiliate_id } = program;
  const { data, error, refetch } = useQuery(tiersQuery(api, affiliate_id));
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <>
      {data.progress !== null && <TierProgress progress={data.progress} />}
      {data.leaderboard !== null && <Leaders leaderboard={data.leaderboard} />}
    </>
  );
}

function TierProgress({ progress }: { progress: Progress }) {
  const { tiers } = useTexts().home;
  const { number, money } = useFormats();
  const { measure, period, currency, steps } = progress;
  const shown = (value: number) => (measure === "customers" ? number(value) : money(value, currency));
  const next = steps.find(({ from }) => from > progress.number);
  return (
    <Card title={tiers.tier}>
      <p className={progress.tier === null ? "text-muted" : "text-title font-medium"}>
        {progress.tier ?? tiers.none}
      </p>
      {next === undefined ? (
        <p className="mt-2 text-muted">{tiers.highest}</p>
      ) : (
        <div className="mt-3 grid gap-1.5">
          <div className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{tiers.next(next.name)}</span>
            <span className="tabular-nums">
              {tiers.progress[measure](shown(progress.number), shown(next.from), period)}
            </span>
          </div>
          <div
            role="progressbar"
            aria-label={tiers.next(next.name)}
            aria-valuemin={0}
            aria-valuemax={next.from}
            aria-valuenow={Math.max(0, progress.number)}
            className="h-2 overflow-hidden rounded-full bg-line"
          >
            <div
              className="h-full rounded-full bg-accent"
              style={{ width: `${Math.max(0, Math.min(100, (progress.number / next.from) * 100))}%` }}
            />
          </div>
          {next.bonus !== null && <p>{tiers.bonus(money(next.bonus, currency))}</p>}
        </div>
      )}
      <p className="mt-3 text-table text-muted">{tiers.hint}</p>
    </Card>
  );
}

function Leaders({ leaderboard: { period, leaders } }: { leaderboard: Leaderboard }) {
  const { tiers } = useTexts().home;
  const { number } = useFormats();
  return (
    <Card title={tiers.leaderboard}>
      <p className="mb-2 text-table text-muted">{tiers.by_customers(period)}</p>
      {leaders.length === 0 ? (
        <p>{tiers.empty}</p>
      ) : (
        <ol className="grid">
          {leaders.map(({ rank, name, customers, is_own }, index) => (
            <li
              key={index}
              aria-current={is_own || undefined}
              className={`-mx-2 flex min-h-9 items-center gap-3 rounded-control px-2 ${is_own ? "bg-pick font-medium" : ""}`}
            >
              <span className="w-6 text-right tabular-nums text-muted">{number(rank)}</span>
              <span className="min-w-0 flex-1 truncate" dir="auto">
                {is_own ? tiers.you : name || tiers.unnamed}
              </span>
              <span className="tabular-nums">{tiers.customers(number(customers), customers === 1)}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
