import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../session/session.tsx";

export type Job = Awaited<ReturnType<Session["api"]["dashboard"]["jobs"]["list"]["query"]>>["data"][number];

/** While something runs and the tab is visible. */
const POLL_MILLISECONDS = 1_500;

export const jobsKey = (organization_id: string) => [organization_id, "jobs"];

/** The organization's long work. After starting some, invalidate `jobsKey`. */
export function jobsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: jobsKey(organization.id),
    queryFn: async ({ signal }) => (await api.dashboard.jobs.list.query(undefined, { signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === "running") ? POLL_MILLISECONDS : false,
  });
}
