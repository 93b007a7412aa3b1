/** A handler's response, independent of the framework. */
export interface HandlerResponse {
  status: number;
  headers: Record<string, string>;
  /** Null for no body. */
  text: string | null;
}

/** For an event that was handled or skipped. */
export const DONE: HandlerResponse = { status: 204, headers: {}, text: null };

export const METHOD_NOT_ALLOWED: HandlerResponse = withText(405, "Method not allowed; deliveries use POST.", {
  allow: "POST",
});

/** The rest of the body is not read, so the connection cannot be reused. */
export const TOO_LARGE: HandlerResponse = withText(413, "The body is too large.", { connection: "close" });

export const BUSY: HandlerResponse = withText(503, "Another copy of this event is being handled.", {
  "retry-after": "10",
});

/** A response with a reason, which the service shows in the delivery's log. */
export function withText(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): HandlerResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, text };
}
