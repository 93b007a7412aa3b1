import { queryOptions } from "@tanstack/react-query";
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
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === "running") ? POLL_MILLISECONDS : false,
  });
}
