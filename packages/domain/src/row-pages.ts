import type { RowPage, RowPageQuery } from "@findersfee/contract/row-pages";
import { invalidField } from "./errors.ts";
import { isId } from "./ids.ts";

/** A page of a list in both directions: the rows after a position, those before one, or the first ones. */
export interface RowDirection<Position> {
  after: Position | null;
  before: Position | null;
  limit: number;
}

/**
 * Reads a page, and one row more to see whether another page follows. With `before`, `read` returns the rows in the opposite
 * order, those next to the position first.
 */
export async function readRowPage<Row, Position, View>(
  { limit, after, before }: RowPageQuery,
  {
    read,
    parse,
    positionOf,
    view,
    continuesAt = () => null,
  }: {
    read: (range: RowDirection<Position>) => Promise<Row[]>;
    /** The position in a query. */
    parse: (cursor: string) => Position;
    positionOf: (row: Row) => string;
    view: (row: Row) => View;
    /** Where the list continues although the page has room; null: nowhere. Called after `read`. */
    continuesAt?: () => string | null;
  },
): Promise<RowPage<View>> {
  if (after !== undefined && before !== undefined) {
    throw invalidField("before", "Send either after or before, not both.");
  }
  const rows = await read({
    after: after === undefined ? null : parse(after),
    before: before === undefined ? null : parse(before),
    limit: limit + 1,
  });
  const is_upward = before !== undefined;
  const has_more = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (is_upward) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const has_newer = is_upward ? has_more : after !== undefined;
  const has_older = is_upward || has_more;
  const further = has_more ? null : continuesAt();
  return {
    data: shown.map((row) => view(row)),
    newer: has_newer && first !== undefined ? positionOf(first) : is_upward ? further : null,
    older: has_older && last !== undefined ? positionOf(last) : is_upward ? null : further,
  };
}

/** The position in a list ordered by id. Errors: `invalid_request`. */
export function readIdPosition(cursor: string): string {
  if (isId(cursor)) return cursor;
  throw invalidField("after", "Must be a position from a list response.");
}
