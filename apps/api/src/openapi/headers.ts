import type { ErrorCode } from "@findersfee/contract/errors";
import type { Header, Parameter, Reference, Schema } from "./document-types.ts";

const number_of_requests: Schema = { type: "integer", minimum: 0 };

/** The response headers, by their names in the document's components. */
export const headerComponents: Record<string, Header> = {
  "X-Request-Id": {
    description: "Identifies the request in the service's logs; errors repeat it as `request_id`.",
    schema: { type: "string", examples: ["req-6b1f0c2d9e-1f"] },
  },
  "RateLimit-Limit": {
    description: "The API key's limit of requests per minute. Absent if the service sets no limit.",
    schema: { ...number_of_requests, examples: [1000] },
  },
  "RateLimit-Remaining": {
    description: "The number of requests left in this window.",
    schema: { ...number_of_requests, examples: [997] },
  },
  "RateLimit-Reset": {
    description: "Seconds until the limit resets.",
    schema: { ...number_of_requests, examples: [42] },
  },
  "Retry-After": {
    description: "Seconds to wait before retrying.",
    schema: { type: "integer", minimum: 0, examples: [2] },
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    schema: { type: "string", examples: ['Bearer realm="Findersfee"'] },
  },
  "Idempotency-Replayed": {
    description: "`true` when this is the stored response to an earlier request with this Idempotency-Key.",
    schema: { type: "string", enum: ["true"], examples: ["true"] },
  },
};

/** The request header that makes retries safe. */
export const idempotencyKeyParameter: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes retries safe: for 24 hours, the same key with the same body returns the first response and changes nothing. Use a new UUID for each new request.",
  schema: {
    type: "string",
    minLength: 1,
    maxLength: 255,
    examples: ["5f0c4f0e-8a64-4c0e-9f5c-2f7f3a5b1c11"],
  },
};

const LIMIT_HEADERS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

export function successHeaders(method: string): Record<string, Reference> {
  const replayed = method === "post" ? ["Idempotency-Replayed"] : [];
  return references(["X-Request-Id", ...LIMIT_HEADERS, ...replayed]);
}

/** Requests are counted per key: where none was read, or no valid one, there is no limit to report. */
export function errorHeaders(codes: readonly ErrorCode[]): Record<string, Reference> {
  const limits = codes.includes("misdirected_request")
    ? []
    : codes.includes("unauthorized")
      ? ["WWW-Authenticate"]
      : LIMIT_HEADERS;
  const retry = codes.includes("rate_limited") || codes.includes("unavailable") ? ["Retry-After"] : [];
  return references(["X-Request-Id", ...limits, ...retry]);
}

function references(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
