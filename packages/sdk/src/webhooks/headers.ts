import { WebhookVerificationError } from "./verification-error.ts";

/** `Headers`, or another object with a `get` method. */
interface HeaderReader {
  get(name: string): string | null;
}

/** A request's headers, with names in any case: `Headers`, Node's `request.headers`, or pairs. */
export type WebhookHeaders =
  | HeaderReader
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The three webhook headers of a delivery, unparsed. */
export interface SignedHeaders {
  id: string;
  timestamp: string;
  /** Signatures of any version, separated by spaces. */
  signature: string;
}

const ID = "webhook-id";
const TIMESTAMP = "webhook-timestamp";
const SIGNATURE = "webhook-signature";
const NAMES = [ID, TIMESTAMP, SIGNATURE];

/** @throws WebhookVerificationError `missing_header` or `invalid_id` */
export function readHeaders(headers: WebhookHeaders): SignedHeaders {
  if (typeof headers !== "object" || headers === null)
    throw new WebhookVerificationError("missing_header", "Pass all headers of the request.");
  const values = pick(headers);
  const missing = NAMES.filter((name) => !values.get(name));
  if (missing.length > 0) throw missingHeaders(missing);
  const id = values.get(ID) ?? "";
  // The signed content is separated by dots; an id with a dot could take the place of the timestamp.
  if (id.includes("."))
    throw new WebhookVerificationError("invalid_id", `${ID} contains a dot, which no event id does.`);
  return { id, timestamp: values.get(TIMESTAMP) ?? "", signature: values.get(SIGNATURE) ?? "" };
}

function pick(headers: WebhookHeaders): Map<string, string | null> {
  if (isReader(headers)) return new Map(NAMES.map((name) => [name, headers.get(name)]));
  const found = new Map<string, string>();
  const pairs = isIterable(headers) ? headers : Object.entries(headers);
  for (const [name, value] of pairs) {
    const known = NAMES.find(
      (lower_case) => lower_case === name || lower_case === String(name).toLowerCase(),
    );
    if (known !== undefined && value)
      found.set(known, Array.isArray(value) ? value.join(", ") : String(value));
  }
  return found;
}

/** A `Map` has `get` as well, but is case-sensitive. */
function isReader(headers: WebhookHeaders): headers is HeaderReader {
  return "get" in headers && typeof headers.get === "function" && !(headers instanceof Map);
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

function missingHeaders(names: readonly string[]): WebhookVerificationError {
  const advice =
    names.length === NAMES.length
      ? "The request is not a delivery of the service, or a proxy removed the headers."
      : "Pass all headers of the request, unchanged.";
  return new WebhookVerificationError("missing_header", `Missing: ${names.join(", ")}. ${advice}`);
}
