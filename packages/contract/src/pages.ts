import { z } from "zod";
import { must, wholeNumber } from "./fields.ts";

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;
/** Cursors reach deeper pages at a cost that does not grow with depth. */
const MAX_PAGE = 100_000;

export const limitInput = wholeNumber(1, MAX_LIMIT).default(DEFAULT_LIMIT).meta({
  description: "The maximum number of rows.",
  example: DEFAULT_LIMIT,
});

/** Query parameters that every list accepts in addition to its filters. */
export const pageQuery = {
  page: wholeNumber(1, MAX_PAGE).optional().meta({
    description: "The page, from 1. Requires counting all rows; a cursor costs less.",
    example: 1,
  }),
  limit: limitInput,
  cursor: z
    .string()
    .regex(
      /^$|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      must("Must be a next_cursor from a list response, or empty for the first page."),
    )
    .optional()
    .meta({
      description:
        "Instead of `page`: the `next_cursor` of the previous page, or empty for the first page. Rows are not counted, so the cost does not grow with depth.",
      example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
};

export interface PageQuery {
  page?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

export const paginationSchema = z
  .object({
    page: z.int().nullable().meta({ description: "The page, from 1; null with a cursor.", example: 1 }),
    limit: z.int().meta({ description: "The maximum number of rows on a page.", example: DEFAULT_LIMIT }),
    total_count: z
      .int()
      .nullable()
      .meta({ description: "Rows on all pages; null with a cursor.", example: 1 }),
    total_pages: z.int().nullable().meta({ description: "Pages in all; null with a cursor.", example: 1 }),
    has_more: z.boolean().meta({ description: "Whether rows follow this page.", example: false }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "The cursor of the rows that follow; null when none do.", example: null }),
  })
  .meta({ id: "Pagination" });

export type Pagination = z.infer<typeof paginationSchema>;

/** A page of a list, as list procedures return it. */
export function pageOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row).meta({ description: "The rows of this page." }),
    pagination: paginationSchema.meta({
      description: "The position of this page, and the cursor of the next page.",
    }),
  });
}

export interface Page<Row> {
  data: Row[];
  pagination: Pagination;
}
