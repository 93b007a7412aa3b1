import type { ErrorCode } from "../resources/error-codes.ts";
import type { Issue } from "../resources/resources.ts";
import { isBranded } from "./brand.ts";

/** Codes of failures between the client and the service; `ErrorCode` lists the service's own codes. */
export type CallErrorCode = "network_error" | "timeout" | "aborted" | "invalid_response" | "proxy_refused";

/** The fields of an error. */
export interface Failure {
  code: ErrorCode | CallErrorCode;
  message: string;
  status?: number | null;
  requestId?: string | null;
  issues?: readonly Issue[];
  details?: Readonly<Record<string, string>>;
  cause?: unknown;
}

const BRAND = Symbol.for("@findersfee/sdk FindersfeeError");

/**
 * The only error that the client throws. Its `code` is for programs, its message for people. `instanceof`
 * works across copies of the package, such as those that `import` and `require` load.
 */
export class FindersfeeError extends Error {
  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method and must check for itself
    return isBranded(value, { brand: BRAND, own: FindersfeeError, asked: this });
  }

  override readonly name = "FindersfeeError";
  readonly code: ErrorCode | CallErrorCode;
  /** The response's HTTP status; null without a response. */
  readonly status: number | null;
  /** Identifies the request in the service's logs; null when the response has none. */
  readonly requestId: string | null;
  /** The invalid input fields; empty when there are none. */
  readonly issues: readonly Issue[];
  /** Values for programs, such as the id of the existing row. */
  readonly details: Readonly<Record<string, string>>;

  constructor({ code, message, status, requestId, issues, details, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status ?? null;
    this.requestId = requestId ?? null;
    this.issues = issues ?? [];
    this.details = details ?? {};
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}

/** An invalid argument, which the client rejects without a request. */
export function invalidArgument(path: string, message: string): Failure {
  return { code: "invalid_request", message: `${path}: ${message}`, issues: [{ path, message }] };
}
