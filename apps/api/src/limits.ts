/** What bounds a request, so that no client can take more than its share of the process. */
export interface Limits {
  body_bytes: number;
  /** The request line and all headers must have come in by then. */
  headers_milliseconds: number;
  /** The whole request, of which what nobody reads any more is thrown away until then. */
  request_milliseconds: number;
  /** The answer must be ready by then, counted from the headers. */
  handler_milliseconds: number;
  /** A connection on which nothing moves in the middle of a request or an answer is ended. */
  stall_milliseconds: number;
  /** Requests that one process works on at once; more are `unavailable`. */
  in_flight: number;
  /** A body that comes without an API key must be complete so long after the headers. */
  body_milliseconds: number;
  /** When the process stops, what is under way then may take so long. */
  stop_milliseconds: number;
}

export const LIMITS: Limits = {
  body_bytes: 256 * 1024,
  headers_milliseconds: 15_000,
  request_milliseconds: 30_000,
  handler_milliseconds: 15_000,
  stall_milliseconds: 60_000,
  in_flight: 1_000,
  body_milliseconds: 5_000,
  stop_milliseconds: 20_000,
};
