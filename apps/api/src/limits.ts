/** Limits on requests, so that no client can take more than its share of the process. */
export interface Limits {
  body_bytes: number;
  /** The timeout for the request line and all headers. */
  headers_milliseconds: number;
  /** The timeout for the whole request; until then, the rest of an unread body is discarded. */
  request_milliseconds: number;
  /** The timeout for the response, counted from the headers. */
  handler_milliseconds: number;
  /** A connection without any traffic during a request or a response is closed after this time. */
  stall_milliseconds: number;
  /** The maximum number of requests that one process works on at once; further ones are `unavailable`. */
  in_flight: number;
  /** The timeout for a body without an API key, counted from the headers. */
  body_milliseconds: number;
  /** The time for requests in progress to finish when the process stops. */
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
