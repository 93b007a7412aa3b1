import type { HttpResponse } from "./http-response.ts";

/** A call's result and the response that it came in. */
export interface WithResponse<Output> {
  data: Output;
  /** Queries made at the same time share a request, and so its response. */
  response: HttpResponse;
}

/** A call under way. Await it for its result, or `withResponse()` for the HTTP response beside it. */
export interface ApiCall<Output> extends Promise<Output> {
  /** Resolves to the result and the HTTP response: status, headers, request id, body. */
  withResponse(): Promise<WithResponse<Output>>;
}
