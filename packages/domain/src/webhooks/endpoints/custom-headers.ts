import type { Issue } from "@findersfee/contract/errors";

/** Headers that an endpoint's owner adds to its deliveries, such as `Authorization` for a gateway: name to value. */
export type CustomHeaders = Readonly<Record<string, string>>;

const MAX_CUSTOM_HEADERS = 10;
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 4096;
/** For all names and values together: many servers reject more than 8 KiB, and the signature needs room as well. */
const MAX_TOTAL_LENGTH = 6 * 1024;

/** A token (RFC 9110, 5.6.2); the first character excludes names such as `__proto__`. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]*$/;
/** Printable ASCII without spaces at either end, which receivers would strip (RFC 9110, 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that the sender or the connection sets, and those that make a request look forwarded by a proxy. */
const RESERVED_NAMES = new Set([
  "accept-encoding",
  "connection",
  "expect",
  "forwarded",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "via",
  "x-real-ip",
  // Metadata services of clouds return credentials to requests with one of these.
  "metadata",
  "metadata-flavor",
  "x-google-metadata-request",
]);
const RESERVED_PREFIXES = ["content-", "proxy-", "webhook-", "x-aws-ec2-metadata-", "x-forwarded-"];

/** Whether a custom header may not have this name: the sender's own headers always take precedence. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return RESERVED_NAMES.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/**
 * Checks custom headers and returns every issue, with paths such as `headers.X-Api-Key`. Messages never repeat
 * a value, which may be a credential.
 */
export function customHeaderIssues(headers: CustomHeaders, path = "headers"): Issue[] {
  const entries = Object.entries(headers);
  if (entries.length > MAX_CUSTOM_HEADERS) {
    return [{ path, message: `Must be at most ${MAX_CUSTOM_HEADERS} headers.` }];
  }
  const issues: Issue[] = [];
  const taken = new Set<string>();
  let total = 0;
  for (const [name, value] of entries) {
    total += name.length + value.length;
    const message = headerProblem(name, value, taken);
    taken.add(name.toLowerCase());
    if (message !== null) issues.push({ path: `${path}.${name.slice(0, MAX_NAME_LENGTH)}`, message });
  }
  if (issues.length === 0 && total > MAX_TOTAL_LENGTH) {
    issues.push({ path, message: `Must be at most ${MAX_TOTAL_LENGTH} characters in all names and values.` });
  }
  return issues;
}

function headerProblem(name: string, value: string, taken: ReadonlySet<string>): string | null {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) {
    return `Must have a header name of at most ${MAX_NAME_LENGTH} letters, digits and hyphens, as in X-Api-Key.`;
  }
  if (isReservedHeader(name)) return "This header is reserved; choose another name.";
  if (taken.has(name.toLowerCase()))
    return "Another header has this name; upper and lower case do not differ.";
  if (value.length > MAX_VALUE_LENGTH || !VALUE.test(value)) {
    return `Must be 1 to ${MAX_VALUE_LENGTH} printable ASCII characters, without spaces at either end.`;
  }
  return null;
}
