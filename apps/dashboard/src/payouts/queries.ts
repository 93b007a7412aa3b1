import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import { live } from "../requests/live.ts";
import type { Session } from "../session/session.tsx";
import { homeFirst } from "./amounts.ts";

type Dashboard = Session["api"]["dashboard"];

export type Run = Awaited<ReturnType<Dashboard["payout_runs"]["get"]["query"]>>;
export type Summary = Awaited<ReturnType<Dashboard["payout_runs"]["summary"]["query"]>>;
export type Proposal = Awaited<ReturnType<Dashboard["payout_runs"]["propose"]["query"]>>;
export type PreviewRow = Awaited<ReturnType<Dashboard["payout_runs"]["preview"]["query"]>>["data"][number];
export type PayoutFile = Awaited<ReturnType<Dashboard["payout_runs"]["files"]["query"]>>[number];
export type PayoutRow = Awaited<ReturnType<Dashboard["payouts"]["list"]["query"]>>["data"][number];
export type Payout = Awaited<ReturnType<Dashboard["payouts"]["explain"]["query"]>>;

export type NextRunSearch = Search<ListField | "part" | "currency">;
export type RunSearch = Search<Exclude<ListField, "period"> | "status">;
export type AllPayoutsSearch = Search<ListField | "status" | "currency">;

function withHomeFirst<Sums extends { totals: { currency: string }[] }>(
  sums: Sums,
  { currency }: Session["organization"],
): Sums {
  return { ...sums, totals: homeFirst(sums.totals, currency) };
}

const isRunning = ({ finished_at }: Run) => finished_at === null;

/** One page holds the monthly runs of eight years. */
const ALL_RUNS = 100;

export function runsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "payout-runs", "list"],
    queryFn: async ({ signal }) => {
      const { data } = await api.dashboard.payout_runs.list.query({ limit: ALL_RUNS }, { signal });
      return { data: data.map((run) => withHomeFirst(run, organization)), newer: null, older: null };
    },
    refetchInterval: live<{ data: Run[] }>(({ data }) => data.some(isRunning)),
  });
}

export function summaryQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, "payout-runs", "summary"],
    queryFn: async ({ signal }) =>
      withHomeFirst(await api.dashboard.payout_runs.summary.query(undefined, { signal }), organization),
  });
}

/**
 * The sum that a run would pay at this moment: read whenever the dialog opens. Its key is not the
 * organization's, so after a lost answer the same run is started again, not the next one.
 */
export function proposalQuery({ api, organization }: Session, affiliate_ids?: readonly string[]) {
  const input = affiliate_ids === undefined ? {} : { affiliate_ids: [...affiliate_ids] };
  return queryOptions({
    queryKey: ["payout-run-proposal", organization.id, input],
    queryFn: async ({ signal }) =>
      withHomeFirst(await api.dashboard.payout_runs.propose.query(input, { signal }), organization),
    staleTime: 0,
    gcTime: 0,
  });
}

export function previewQuery({ api, organization }: Session, search: NextRunSearch) {
  const input = {
    limit: Number(search.rows ?? 50),
    text: search.text,
    after: search.after,
    before: search.before,
    // The router let only these values through.
    part: search.part as PreviewRow["outcome"] | undefined,
    currency: search.currency,
  };
  return queryOptions({
    queryKey: [organization.id, "payout-runs", "preview", input],
    queryFn: ({ signal }) => api.dashboard.payout_runs.preview.query(input, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function runQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "payout-runs", "get", id],
    queryFn: async ({ signal }) =>
      withHomeFirst(await api.dashboard.payout_runs.get.query({ id }, { signal }), organization),
    refetchInterval: live<Run>(isRunning),
  });
}

/** The files change only when somebody downloads one, and when the run finishes: `is_finished` is part of the key. */
export function filesQuery({ api, organization }: Session, { id, finished_at }: Run) {
  return queryOptions({
    queryKey: [organization.id, "payout-runs", "files", id, finished_at !== null],
    queryFn: ({ signal }) => api.dashboard.payout_runs.files.query({ id }, { signal }),
    enabled: finished_at !== null,
  });
}

/** The filters of the address, for the list of a run or of all, and its export. */
export function payoutFilters({ text, status, currency, period }: AllPayoutsSearch, run_id?: string) {
  return {
    run_id,
    text,
    // The router let only these values through.
    status: status as PayoutRow["status"] | "open" | undefined,
    currency,
    created_from: startOfPeriod(period),
    created_until: endOfPeriod(period),
  };
}

export type PayoutFilters = ReturnType<typeof payoutFilters>;

/** `fixed`: the filters that the page has. */
export function payoutCounts(
  session: Session,
  filters: PayoutFilters,
  fixed: { run_id?: string | undefined },
): Counts {
  const { payouts } = session.api.dashboard;
  const of = (asked: Partial<PayoutFilters>) =>
    countQuery(session, { area: "payouts", filters: asked, count: payouts.count.query });
  return { matching: of(filters), all: of(fixed) };
}

/** The payouts of a run, or of all. */
export function payoutsQuery({ api, organization }: Session, search: AllPayoutsSearch, run?: Run) {
  const { after, before } = search;
  const input = { limit: Number(search.rows ?? 50), after, before, ...payoutFilters(search, run?.id) };
  return queryOptions({
    queryKey: [organization.id, "payouts", "list", input],
    queryFn: ({ signal }) => api.dashboard.payouts.list.query(input, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: live<unknown>(() => run !== undefined && isRunning(run)),
  });
}

export function payoutQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "payouts", "explain", id],
    queryFn: ({ signal }) => api.dashboard.payouts.explain.query({ id }, { signal }),
  });
}
