import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Search } from "../../lists/search.ts";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

type Page = Awaited<ReturnType<Session["api"]["dashboard"]["promo_codes"]["list"]["query"]>>;

export type PromoCodeRow = Page["data"][number];

/** The second part of the keys of all queries of promo codes. */
export const PROMO_CODES = "promo-codes";

export function promoCodesQuery({ api, organization }: Session, search: Search<"after" | "rows" | "state">) {
  const input = {
    limit: Number(search.rows ?? 50),
    cursor: search.after,
    failed: search.state === "failed" ? true : undefined,
  };
  return queryOptions({
    queryKey: [organization.id, PROMO_CODES, "list", input],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api.dashboard.promo_codes.list.query(input, { signal });
      return { data, newer: null, older: pagination.next_cursor };
    },
    placeholderData: keepPreviousData,
    refetchInterval: live(({ data }: Pick<Page, "data">) => data.some(({ state }) => state === "wanted")),
  });
}
