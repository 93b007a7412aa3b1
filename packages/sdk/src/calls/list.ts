import type { Pagination } from "../resources/resources.ts";
import type { ApiCall } from "./api-call.ts";

/** One page of a list. */
export interface Page<Row> {
  /** The rows of this page. */
  data: Row[];
  /** The page's position, and the cursor of the next page. */
  pagination: Pagination;
}

/**
 * A list that sends nothing until it is used. Await it to get one page, or iterate over it to get every row
 * of every page, fetched as needed.
 */
export interface List<Row> extends ApiCall<Page<Row>>, AsyncIterable<Row> {}
