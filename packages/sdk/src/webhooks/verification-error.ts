import { isBranded } from "../errors/brand.ts";

/**
 * Why a delivery was refused.
 *
 * | code | meaning |
 * | --- | --- |
 * | `invalid_secret` | the secret passed to `verify` is invalid: empty, truncated, or an API key |
 * | `parsed_body` | the body was parsed; verification needs its raw bytes |
 * | `body_used` | the request's body was read before it reached the handler |
 * | `invalid_body` | the body is empty, or signed but not a JSON object |
 * | `missing_header` | one of the three headers is missing |
 * | `invalid_id`, `invalid_timestamp` | the header is malformed |
 * | `timestamp_too_old`, `timestamp_too_new` | an old request sent again, or a wrong clock |
 * | `no_match` | no signature matches: another secret, or a changed body |
 */
export type WebhookVerificationErrorCode =
  | "invalid_secret"
  | "parsed_body"
  | "body_used"
  | "invalid_body"
  | "missing_header"
  | "invalid_id"
  | "invalid_timestamp"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "no_match";

const BRAND = Symbol.for("@findersfee/sdk WebhookVerificationError");

/**
 * A delivery that failed verification. The message explains how to fix it and never contains a secret.
 * `instanceof` works across copies of the package, such as those that `import` and `require` load.
 */
export class WebhookVerificationError extends Error {
  /** @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method and must check for itself
    return isBranded(value, { brand: BRAND, own: WebhookVerificationError, asked: this });
  }

  override readonly name = "WebhookVerificationError";
  readonly code: WebhookVerificationErrorCode;

  constructor(code: WebhookVerificationErrorCode, message: string) {
    super(message);
    this.code = code;
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }
}
