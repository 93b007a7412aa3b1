import { z } from "zod";
import { MAX_COUNTED_ROWS } from "./counted-rows.ts";
import { id, name, wholeNumber } from "./fields.ts";

/* Pages of the dashboard's lists. A reader can go in both directions, and each row names the resources that it refers to. */

const MAX_ROWS = 100;
const MAX_CURSOR_LENGTH = 100;

/** The input of each list: the rows after or before a position; neither: the first page. */
export const rowPageQuery = {
  limit: wholeNumber(1, MAX_ROWS).default(50),
  after: name(MAX_CURSOR_LENGTH)
    .optional()
    .meta({ description: "`older` of a page: the rows that follow it." }),
  before: name(MAX_CURSOR_LENGTH)
    .optional()
    .meta({ description: "`newer` of a page: the rows that precede it." }),
};

/** The search field of a list: a part of a name, an email or a code, or the beginning of an id. */
export const searchText = name(200);

/** The schema of a page of such rows. */
export function rowPageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row).meta({ description: "The rows, newest first." }),
    newer: z
      .string()
      .nullable()
      .meta({ description: "The position of the rows before these; null on the first page." }),
    older: z
      .string()
      .nullable()
      .meta({ description: "The position of the rows after these; null on the last page." }),
  });
}

/** A page of one of the dashboard's lists. */
export interface RowPage<Row> {
  data: Row[];
  newer: string | null;
  older: string | null;
}

export interface RowPageQuery {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
}

/** The number of rows that a list has on all its pages. */
export const rowCountSchema = z
  .object({
    count: z
      .int()
      .nullable()
      .meta({ description: `At most ${MAX_COUNTED_ROWS}; null: counting took too long.`, example: 812 }),
    has_more: z.boolean().meta({ description: "Whether there are more, or may be.", example: false }),
  })
  .meta({ id: "RowCount" });

export type RowCount = z.infer<typeof rowCountSchema>;

/**
 * The rows that match the filters of a list at one moment, with the data that decides whether a change
 * applies to them.
 */
export const matchingRowsSchema = z
  .object({
    data: z
      .array(z.object({ id, state: z.string().meta({ example: "active" }) }))
      .meta({ description: `In the order of the list, at most ${MAX_COUNTED_ROWS}.` }),
    has_more: z.boolean().meta({ description: "Whether more rows match.", example: false }),
  })
  .meta({ id: "MatchingRows" });

export type MatchingRows = z.infer<typeof matchingRowsSchema>;
