import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { portal } from "../requests/portal.ts";
import { useSession } from "../session/session.tsx";

/** TanStack Query pauses it while the tab is hidden, and asks at once when the reader comes back. */
const PULSE_MILLISECONDS = 10_000;

/** The first parts of the keys of queries that show the data of a pulse. */
const LIVE = ["home", "earnings", "referrals", "sub-ids"];

function pulseQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["pulse", affiliate_id],
    queryFn: ({ signal }) => api.home.pulse.query(undefined, { signal }),
    refetchInterval: PULSE_MILLISECONDS,
    refetchOnWindowFocus: "always",
    staleTime: 0,
  });
}

/**
 * Keeps the figures of a page fresh: asks for the affiliate's pulse, and loads the figures again when it differs from the one
 * that belongs to them. `shown` is that pulse, if the page knows it; else the first answer is.
 */
export function useLive(shown?: string): void {
  const { api, program } = useSession();
  const client = useQueryClient();
  const { data, dataUpdatedAt } = useQuery(pulseQuery(api, program.affiliate_id));
  const known = useRef(shown);
  if (shown !== undefined) known.current = shown;
  useEffect(() => {
    if (data === undefined || dataUpdatedAt === 0) return;
    const before = known.current;
    known.current = data.pulse;
    if (before === undefined || before === data.pulse) return;
    void client.invalidateQueries({
      predicate: ({ queryKey: [kind, affiliate_id] }) =>
        LIVE.includes(String(kind)) && affiliate_id === program.affiliate_id,
    });
    // `dataUpdatedAt`: each answer is compared, also one that equals the last.
  }, [data, dataUpdatedAt, client, program.affiliate_id]);
}
