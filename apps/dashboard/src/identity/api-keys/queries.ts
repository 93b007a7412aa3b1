import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Search } from "../../lists/search.ts";
import type { Session } from "../../session/session.tsx";

export type { ApiKeyView } from "@findersfee/contract/identity/api-keys";

/** The second part of the keys of all queries of API keys. */
export const API_KEYS = "api-keys";

export function apiKeysQuery({ api, organization }: Session, search: Search<"after" | "rows" | "state">) {
  const input = {
    limit: Number(search.rows ?? 50),
    cursor: search.after,
    revoked: search.state === "revoked",
  };
  return queryOptions({
    queryKey: [organization.id, API_KEYS, "list", input],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api.dashboard.api_keys.list.query(input, { signal });
      return { data, newer: null, older: pagination.next_cursor };
    },
    placeholderData: keepPreviousData,
  });
}
