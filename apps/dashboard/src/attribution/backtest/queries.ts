import { queryOptions } from "@tanstack/react-query";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

export type Backtest = Awaited<ReturnType<Session["api"]["backtests"]["get"]["query"]>>;
export type BacktestResult = NonNullable<Backtest["result"]>;
export type BacktestInput = Parameters<Session["api"]["backtests"]["create"]["mutate"]>[0];

export function backtestQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, "backtests", id],
    queryFn: ({ signal }) => api.backtests.get.query({ id }, { signal }),
    refetchInterval: live(({ state }: Backtest) => state === "running"),
  });
}
