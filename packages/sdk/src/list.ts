import type { ApiCall } from "./api-call.ts";
import type { Pagination } from "./resources.ts";

/** One page of a list. */
export interface Page<Row> {
  /** The rows of this page. */
  data: Row[];
  /** Where this page stands, and where to go on. */
  pagination: Pagination;
}

/**
 * A list that sends nothing until it is used: awaited it is one page, iterated over it is every row of every
 * page, fetched as they are needed.
 */
export interface List<Row> extends ApiCall<Page<Row>>, AsyncIterable<Row> {}
