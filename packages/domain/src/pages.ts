import type { Page, PageQuery } from "@findersfee/contract/pages";
import type { PageRange } from "@findersfee/database/postgres/pages";
import { type DomainError, invalidField } from "./errors.ts";

interface PageSource<Row, View> {
  read: (range: PageRange) => Promise<Row[]>;
  /** The number of rows on all pages. Called only for requests with a page number. */
  count: () => Promise<number>;
  view: (row: Row) => View;
}

/**
 * A page of a list, newest first: by number with counts, or by cursor, where nothing is counted and the cost does not
 * grow with depth. One row more than `limit` is read; if it exists, another page follows.
 */
export async function readPage<Row extends { id: string }, View>(
  query: PageQuery,
  { read, count, view }: PageSource<Row, View>,
): Promise<Page<View>> {
  const { limit, cursor } = query;
  if (cursor !== undefined) {
    if (query.page !== undefined) throw invalidField("cursor", "Send either page or cursor, not both.");
    const rows = await read({ below: cursor === "" ? null : cursor, offset: 0, limit: limit + 1 });
    return pageOf(rows, { limit, view, cursorOf: idOf });
  }
  const page = query.page ?? 1;
  const [rows, total_count] = await Promise.all([
    read({ below: null, offset: (page - 1) * limit, limit: limit + 1 }),
    count(),
  ]);
  const total_pages = Math.ceil(total_count / limit);
  return pageOf(rows, { limit, view, cursorOf: idOf, numbers: { page, total_count, total_pages } });
}

type PageNumbers = Pick<Page<unknown>["pagination"], "page" | "total_count" | "total_pages">;

/** A list by cursor has no counts. */
const NOT_COUNTED: PageNumbers = { page: null, total_count: null, total_pages: null };

interface PageView<Row, View> {
  limit: number;
  view: (row: Row) => View;
  /** The `next_cursor` of a page that ends with this row. */
  cursorOf: (row: Row) => string;
  numbers?: PageNumbers;
}

/** A page from its rows, up to `limit`, and one more if another page follows. */
export function pageOf<Row, View>(
  rows: readonly Row[],
  { limit, view, cursorOf, numbers = NOT_COUNTED }: PageView<Row, View>,
): Page<View> {
  const has_more = rows.length > limit;
  const shown = has_more ? rows.slice(0, limit) : rows;
  const last = shown.at(-1);
  return {
    data: shown.map((row) => view(row)),
    pagination: {
      page: numbers.page,
      limit,
      total_count: numbers.total_count,
      total_pages: numbers.total_pages,
      has_more,
      next_cursor: has_more && last !== undefined ? cursorOf(last) : null,
    },
  };
}

/** The cursor of lists ordered by id. */
export function idOf({ id }: { id: string }): string {
  return id;
}

/** The position of a row in a list ordered by time, then name, then id. */
interface TimePosition {
  /** In whole milliseconds, as in the database: a rounded time would repeat or skip rows. */
  at: Date;
  name: string;
  id: string;
}

/** The cursor of lists ordered by time. */
export function timeCursor({ at, name, id }: TimePosition): string {
  return `${at.getTime()}.${name}.${id}`;
}

/** The inverse of `timeCursor`. Errors: `invalid_request`. */
export function readTimeCursor(cursor: string): TimePosition {
  const [, time, name, id] = /^([0-9]{1,14})\.([a-z_]{1,20})\.(.{1,512})$/s.exec(cursor) ?? [];
  if (time === undefined || name === undefined || id === undefined) throw invalidCursor();
  return { at: new Date(Number(time)), name, id };
}

export function invalidCursor(): DomainError {
  return invalidField("cursor", "Must be a next_cursor from a list response.");
}

/** Explains an empty list that was filtered by one of these ids: throws if that resource does not exist. */
export async function requireNamed(
  page: Page<unknown>,
  names: readonly (() => Promise<unknown>)[],
): Promise<void> {
  if (page.data.length > 0) return;
  for (const require of names) await require();
}
