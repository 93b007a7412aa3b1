import type { PagerProps } from "@findersfee/ui/lists/pager";
import type { ListAddress } from "./use-list-address.ts";

/** The pager of a page of rows. The first page's address has no position. */
export function rowPager<Name extends string>(
  page: { newer: string | null; older: string | null } | undefined,
  { size, hrefWith, change, search }: ListAddress<Name>,
): PagerProps {
  const { newer = null, older = null } = page ?? {};
  return {
    newer: newer === null ? (search.after === undefined ? null : hrefWith({})) : hrefWith({ before: newer }),
    older: older === null ? null : hrefWith({ after: older }),
    size,
    onSize: (rows) => change({ rows: String(rows) }),
  };
}

/** The smallest number of rows per page. */
const SMALLEST_PAGE = 25;

/** Whether the rows fit on every page, so that nothing can be turned. */
export function isShort(
  page: { data: readonly unknown[]; newer: string | null; older: string | null } | undefined,
): boolean {
  return (
    page !== undefined && page.newer === null && page.older === null && page.data.length <= SMALLEST_PAGE
  );
}
