import type { HttpResponse } from "../http-response.ts";

/** A call's result and the response that it came in. */
export interface WithResponse<Output> {
  data: Output;
  /** Queries made at the same time share a request, and therefore its response. */
  response: HttpResponse;
}

/** A call in progress. Await it for its result, or use `withResponse()` to get the HTTP response as well. */
export interface ApiCall<Output> extends Promise<Output> {
  /** Resolves to the result and the HTTP response: status, headers, request id, body. */
  withResponse(): Promise<WithResponse<Output>>;
}
