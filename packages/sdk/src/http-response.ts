import type { WebHeaders } from "./environment.ts";

/** An HTTP response with its body read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: WebHeaders;
  /** The `X-Request-Id` header, which identifies the request in the service's logs; null without one. */
  readonly requestId: string | null;
  /** The body's text, unparsed. */
  readonly body: string;
}
