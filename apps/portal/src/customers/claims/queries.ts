import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Outputs } from "../../requests/portal.ts";
import type { Session } from "../../session/session.tsx";

export type Claim = Outputs["claims"]["list"]["data"][number];

const ROWS = 25;
const POLL_MILLISECONDS = 10_000;

/**
 * The affiliate's own claims, the newest first. While one is being checked, its answer appears without a
 * reload.
 */
export function ownClaimsQuery({ api, program: { affiliate_id } }: Session) {
  return infiniteQueryOptions({
    queryKey: ["claims", affiliate_id],
    queryFn: ({ signal, pageParam }) =>
      api.claims.list.query({ limit: ROWS, ...(pageParam === null ? {} : { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ older }) => older,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((claim) => claim.state === "open"))
        ? POLL_MILLISECONDS
        : false,
  });
}
