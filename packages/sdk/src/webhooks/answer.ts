/** What a handler answers, whatever the framework. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** Null: none. */
  text: string | null;
}

/** For what was handled, or is passed over. */
export const DONE: Answer = { status: 204, headers: {}, text: null };

export const METHOD_NOT_ALLOWED: Answer = withText(405, "Deliveries come by POST.", { allow: "POST" });

/** The rest of the body is not read, so the connection cannot be used again. */
export const TOO_LARGE: Answer = withText(413, "The body is too large.", { connection: "close" });

export const BUSY: Answer = withText(503, "Another copy of this event is being handled.", {
  "retry-after": "10",
});

/** An answer that says why; the service shows it in the delivery's log. */
export function withText(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, text };
}
