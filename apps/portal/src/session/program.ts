import { queryOptions } from "@tanstack/react-query";
import type { portal } from "../requests/portal.ts";

/** An affiliate's program: its terms, its links, and the organization. */
export function programQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["program", affiliate_id],
    queryFn: ({ signal }) => api.program.get.query(undefined, { signal }),
    staleTime: 60_000,
  });
}
