import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { formatFullDay } from "@findersfee/ui/formats/dates";
import { Link } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { type Backtest, backtestQuery } from "./queries.ts";
import { BacktestResults } from "./results.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/campaigns/$id/backtests/$backtest_id");

/** A backtest of a campaign's draft: its progress, and then its result. */
export function BacktestPage() {
  const session = useSession();
  const { id, backtest_id } = route.useParams();
  const { data, error, refetch } = useQuery(backtestQuery(session, backtest_id));
  if (error !== null && failureOf(error).status === 404) return <NotFoundPage />;
  return (
    <div className="grid max-w-230 grid-cols-[minmax(0,1fr)] gap-6 pt-4 pb-12">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-lead font-semibold">{texts.title}</h2>
        <Link to={`${session.home}/campaigns/${id}/rules`} className="text-table text-accent">
          {texts.back}
        </Link>
      </div>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={4} label={texts.loading} />
      ) : (
        <Shown backtest={data} />
      )}
    </div>
  );
}

function Shown({ backtest }: { backtest: Backtest }) {
  const { state, from, result, reason } = backtest;
  const clock = useClock();
  return (
    <>
      <p className="text-table text-muted">
        {texts.from} {formatFullDay(new Date(from), { ...clock, time_zone: "UTC" })}
      </p>
      {state === "running" && <Progress backtest={backtest} />}
      {state === "canceled" && (
        <Notice tone="info" title={texts.canceled}>
          {texts.canceled_hint}
        </Notice>
      )}
      {state === "failed" && (
        <Notice tone="bad" title={texts.failed} alert>
          {reason}
        </Notice>
      )}
      {result !== null && <BacktestResults result={result} />}
    </>
  );
}

function Progress({ backtest: { id, done, total, reason } }: { backtest: Backtest }) {
  const { api, organization } = useSession();
  const may_cancel = useMay("admin");
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.dashboard.jobs.cancel.mutate({ id }),
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id, "backtests", id] }),
  });
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  return (
    <div className="grid gap-3 rounded-card border border-line p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-medium">
          {texts.running}
        </p>
        {may_cancel && (
          <Button busy={isPending} onClick={() => mutate()}>
            {texts.cancel}
          </Button>
        )}
      </div>
      <svg aria-hidden="true" width="100%" height="6" className="rounded-full">
        <rect width="100%" height="6" rx="3" className="fill-hover" />
        <rect width={`${share * 100}%`} height="6" rx="3" className="fill-accent-line" />
      </svg>
      <p className="text-table text-muted tabular-nums">{texts.progress(done, total)}</p>
      {reason !== null && <p className="text-table text-warn">{texts.retrying}</p>}
    </div>
  );
}
