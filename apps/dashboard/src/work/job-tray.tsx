import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { useSession } from "../session/session.tsx";
import { jobsQuery } from "./queries.ts";

const OpenTray = lazyPart(() => import("./open-tray.tsx"), "OpenTray");

/** The organization's long work, once there is some. Its code is loaded then. */
export function JobTray() {
  const session = useSession();
  const { data: jobs = [] } = useQuery(jobsQuery(session));
  useChangedRows(jobs);
  if (jobs.length === 0) return null;
  return (
    <Suspense>
      <OpenTray jobs={jobs} />
    </Suspense>
  );
}

/** Work that ends has changed rows of any list: an import has created affiliates. */
function useChangedRows(jobs: readonly { id: string; state: string }[]): void {
  const { organization } = useSession();
  const client = useQueryClient();
  const running = jobs.filter(({ state }) => state === "running").map(({ id }) => id);
  const before = useRef<string[]>([]);
  const ended = before.current.some((id) => !running.includes(id));
  useEffect(() => {
    before.current = running;
    if (ended) void client.invalidateQueries({ queryKey: [organization.id] });
  });
}
