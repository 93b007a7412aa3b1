import { WebhookVerificationError } from "./verification-error.ts";

/** `Headers`, or something else to ask for one by its name. */
interface HeaderReader {
  get(name: string): string | null;
}

/** A request's headers, names in any case: `Headers`, Node's `request.headers`, or pairs. */
export type WebhookHeaders =
  | HeaderReader
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The three headers of a delivery, as they came. */
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
    throw new WebhookVerificationError("missing_header", "Pass the headers of the request, all of them.");
  const values = pick(headers);
  const missing = NAMES.filter((name) => !values.get(name));
  if (missing.length > 0) throw missingHeaders(missing);
  const id = values.get(ID) ?? "";
  // The dot parts what is signed; an id that held one could take over the timestamp's place.
  if (id.includes("."))
    throw new WebhookVerificationError("invalid_id", `${ID} holds a dot, which no event's id does.`);
  return { id, timestamp: values.get(TIMESTAMP) ?? "", signature: values.get(SIGNATURE) ?? "" };
}

function pick(headers: WebhookHeaders): Map<string, string | null> {
  if (isReader(headers)) return new Map(NAMES.map((name) => [name, headers.get(name)]));
  const found = new Map<string, string>();
  const pairs = isIterable(headers) ? headers : Object.entries(headers);
  for (const [name, value] of pairs) {
    const known = NAMES.find((one) => one === name || one === String(name).toLowerCase());
    if (known !== undefined && value)
      found.set(known, Array.isArray(value) ? value.join(", ") : String(value));
  }
  return found;
}

/** A `Map` can be asked too, but not in any case. */
function isReader(headers: WebhookHeaders): headers is HeaderReader {
  return "get" in headers && typeof headers.get === "function" && !(headers instanceof Map);
}

function isIterable(headers: WebhookHeaders): headers is Iterable<readonly [string, string]> {
  return Symbol.iterator in headers;
}

function missingHeaders(names: readonly string[]): WebhookVerificationError {
  const advice =
    names.length === NAMES.length
      ? "This is no delivery of the service, or a proxy removed them."
      : "Pass all headers of the request, as they came.";
  return new WebhookVerificationError("missing_header", `Missing: ${names.join(", ")}. ${advice}`);
}
