import { queryOptions } from "@tanstack/react-query";
import { IDLE_MILLISECONDS } from "../requests/live.ts";
import type { Session } from "../session/session.tsx";
import { jobsKey } from "./jobs-key.ts";

export type Job = Awaited<ReturnType<Session["api"]["dashboard"]["jobs"]["list"]["query"]>>["data"][number];

/** While something runs and the tab is visible. */
const POLL_MILLISECONDS = 1_500;

/** The organization's long work. */
export function jobsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: jobsKey(organization.id),
    queryFn: async ({ signal }) => (await api.dashboard.jobs.list.query(undefined, { signal })).data,
    refetchInterval: ({ state: { data, error } }) => {
      if (!data?.some(({ state }) => state === "running")) return false;
      return error === null ? POLL_MILLISECONDS : IDLE_MILLISECONDS;
    },
  });
}
