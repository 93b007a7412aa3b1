import { isBranded } from "./brand.ts";
import type { ErrorCode } from "./error-codes.ts";
import type { Issue } from "./resources.ts";

/** Failures between the caller and the service; the service's own codes are in `ErrorCode`. */
export type CallErrorCode = "network_error" | "timeout" | "aborted" | "invalid_response" | "proxy_refused";

/** What an error is made of. */
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
 * The one error that the client throws. Its `code` is for programs, its message for people. `instanceof` works
 * across copies of the package, such as those that `import` and `require` load.
 */
export class FindersfeeError extends Error {
  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method, and asks for itself
    return isBranded(value, { brand: BRAND, own: FindersfeeError, asked: this });
  }

  override readonly name = "FindersfeeError";
  readonly code: ErrorCode | CallErrorCode;
  /** The answer's HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** Identifies the request in the service's logs; null when the service did not say. */
  readonly requestId: string | null;
  /** Each field of the input that is wrong; empty when none is. */
  readonly issues: readonly Issue[];
  /** Facts that a program can use, such as the id of the row that exists already. */
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

/** One argument that cannot be right, found before anything was sent. */
export function invalidArgument(path: string, message: string): Failure {
  return { code: "invalid_request", message: `${path}: ${message}`, issues: [{ path, message }] };
}
