import { Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Time } from "@findersfee/ui/components/values";
import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { HistoryLink } from "../audit-log/link/history-link.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { amountsOf } from "./amounts.ts";
import { monthOf } from "./month.ts";
import { payout_texts } from "./payout-texts.ts";
import { type Run, runQuery } from "./queries.ts";
import { RunBar } from "./run-bar.tsx";
import { RunPayouts } from "./run-payouts.tsx";
import { payerOf, RunState } from "./status.tsx";
import { texts } from "./texts.ts";

/** Most runs need none. */
const RunApproval = lazyPart(() => import("./run-approval.tsx"), "RunApproval");
const RunSteps = lazyPart(() => import("./run-steps.tsx"), "RunSteps");

const route = getRouteApi("/o/$slug/payouts/runs/$id");

/** One payout run: its progress, its files, the provider's report, and its payouts. */
export function RunPage() {
  const session = useSession();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(runQuery(session, id));
  useRefreshAtEnd(data);
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const failure = error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data !== undefined) return <LoadedRun run={data} failure={failure} />;
  const { status, code } = failureOf(error);
  if (status === 404 || code === "invalid_request") return <NotFoundPage />;
  return (
    <Page title={payout_texts.run} parent={{ to: `${session.home}/payouts`, label: texts.title }}>
      {failure || <SkeletonRows label={shell_texts.loading} />}
    </Page>
  );
}

/** `failure`: why the run could not be read again. */
function LoadedRun({ run, failure }: { run: Run; failure: ReactNode }) {
  const { home, organization } = useSession();
  const search = route.useSearch();
  const title = texts.run_of(monthOf(run.period), run.number);
  return (
    <Page
      title={title}
      document_title={`${title} · ${organization.name}`}
      parent={{ to: `${home}/payouts`, label: texts.title }}
      beside={<Started run={run} />}
      link={<HistoryLink of={run.id} />}
    >
      {failure}
      <Progress run={run} />
      {run.payouts > 0 && <RunPayouts run={run} search={search} />}
    </Page>
  );
}

function Progress({ run }: { run: Run }) {
  const has_payouts = run.payouts > 0;
  const is_finished = run.finished_at !== null;
  const { approval } = run;
  const is_decided = approval === null || approval.state === "approved";
  return (
    <div className="grid grid-cols-1 gap-4 pt-1 pb-2">
      {approval !== null && (
        <Suspense fallback={<div className="min-h-5" />}>
          <RunApproval run={run} approval={approval} />
        </Suspense>
      )}
      {!is_finished && is_decided && (
        <Notice tone="info" title={texts.creating} alert>
          {texts.creating_hint(run.payouts)}
        </Notice>
      )}
      {has_payouts && <Sums run={run} />}
      {!has_payouts && is_finished && is_decided && <p className="text-muted">{texts.nobody_due}</p>}
      {has_payouts && is_finished && (
        <Suspense fallback={<div className="min-h-64" />}>
          <RunSteps run={run} />
        </Suspense>
      )}
    </div>
  );
}

/** When a run finishes, everything else that its page shows has changed, too. */
function useRefreshAtEnd(run: Run | undefined): void {
  const client = useQueryClient();
  const { organization } = useSession();
  const was_running = useRef(false);
  const is_running = run !== undefined && run.finished_at === null;
  useEffect(() => {
    if (was_running.current && !is_running) {
      void client.invalidateQueries({ queryKey: [organization.id] });
    }
    was_running.current = is_running;
  }, [is_running, client, organization.id]);
}

function Started({ run }: { run: Run }) {
  const { created_at, started_by, started_by_name } = run;
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-table">
      <RunState run={run} />
      <span dir="auto" className="line-clamp-1">
        {texts.started.toLowerCase()} <Time at={created_at} />{" "}
        {texts.by(payerOf({ name: started_by_name, actor: started_by }))}
      </span>
    </span>
  );
}

function Sums({ run }: { run: Run }) {
  return (
    <section aria-label={texts.amount} className="grid max-w-160 gap-2">
      <p className="text-figure font-medium tabular-nums">{amountsOf(run.totals)}</p>
      <RunBar run={run} thick />
    </section>
  );
}
