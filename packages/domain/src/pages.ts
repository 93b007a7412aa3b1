import type { Page, PageQuery } from "@findersfee/contract/pages";
import type { PageRange } from "@findersfee/database/pages";
import { invalidField } from "./errors.ts";

interface PageSource<Row, View> {
  read: (range: PageRange) => Promise<Row[]>;
  /** Rows on all pages. Asked only when a page is wanted by its number. */
  count: () => Promise<number>;
  view: (row: Row) => View;
}

/**
 * A page of a list, newest first: by number, with counts, or by cursor, where nothing is counted and the
 * cost does not grow with depth. One row more than asked for tells whether more follow.
 */
export async function readPage<Row extends { id: string }, View>(
  query: PageQuery,
  { read, count, view }: PageSource<Row, View>,
): Promise<Page<View>> {
  const { limit, cursor } = query;
  if (cursor !== undefined) {
    if (query.page !== undefined) throw invalidField("cursor", "Send either page or cursor, not both.");
    const rows = await read({ below: cursor === "" ? null : cursor, offset: 0, limit: limit + 1 });
    return pageOf(rows, { limit, view, numbers: { page: null, total_count: null, total_pages: null } });
  }
  const page = query.page ?? 1;
  const [rows, total_count] = await Promise.all([
    read({ below: null, offset: (page - 1) * limit, limit: limit + 1 }),
    count(),
  ]);
  const total_pages = Math.ceil(total_count / limit);
  return pageOf(rows, { limit, view, numbers: { page, total_count, total_pages } });
}

type PageNumbers = Pick<Page<unknown>["pagination"], "page" | "total_count" | "total_pages">;

/** A page from its rows and the one that may follow it. */
export function pageOf<Row extends { id: string }, View>(
  rows: Row[],
  { limit, view, numbers }: { limit: number; view: (row: Row) => View; numbers: PageNumbers },
): Page<View> {
  const has_more = rows.length > limit;
  const shown = has_more ? rows.slice(0, limit) : rows;
  return {
    data: shown.map(view),
    pagination: {
      page: numbers.page,
      limit,
      total_count: numbers.total_count,
      total_pages: numbers.total_pages,
      has_more,
      next_cursor: has_more ? (shown.at(-1)?.id ?? null) : null,
    },
  };
}

/** A list that names one of these ids and came out empty: says so if there is no such thing. */
export async function requireNamed(
  page: Page<unknown>,
  names: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (page.data.length > 0) return;
  for (const require of names) await require();
}
