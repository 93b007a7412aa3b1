import type { WebHeaders } from "./environment.ts";

/** An HTTP response, read to its end. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: WebHeaders;
  /** The header `X-Request-Id`, which identifies the request in the service's logs; null without one. */
  readonly requestId: string | null;
  /** The body's text as it came. */
  readonly body: string;
}
