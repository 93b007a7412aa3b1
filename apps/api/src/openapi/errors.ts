import {
  ERRORS,
  type ErrorCode,
  type ErrorObject,
  errorCodes,
  type Issue,
} from "@findersfee/contract/errors";
import { issuesOf } from "../issues.ts";
import type { Reference, Response } from "./document-types.ts";
import { errorHeaders } from "./headers.ts";
import { capitalized, type Operation, pathParameters } from "./operations.ts";
import { reference } from "./schemas.ts";

const REQUEST_ID = "req-6b1f0c2d9e-1f";
const ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

/** The facts in an error's details, for programs. */
const DETAILS: Partial<Record<ErrorCode, Record<string, string>>> = {
  affiliate_exists: { affiliate_id: ID },
  affiliate_banned: { affiliate_id: ID },
  referral_exists: { referral_id: ID },
  commission_exists: { commission_id: ID },
  quota_exceeded: { quota: "stored_answers", limit: "1000000" },
};

/** All errors of an operation. */
function errorCodesOf({ method, errors }: Operation): ErrorCode[] {
  const has_body = method !== "get";
  const body_errors: ErrorCode[] = has_body
    ? ["payload_too_large", "unsupported_media_type", "quota_exceeded"]
    : [];
  const codes: ErrorCode[] = [
    "invalid_request",
    "unauthorized",
    "insufficient_scope",
    ...errors,
    ...body_errors,
    "misdirected_request",
    "rate_limited",
    "internal_error",
    "unavailable",
  ];
  return codes.sort((left, right) => ERRORS[left].status - ERRORS[right].status);
}

/**
 * An operation's error responses, one per status. A status with one code is the same for all operations and
 * becomes a component; only the issues of an invalid request differ.
 */
export function errorResponsesOf(operation: Operation): Record<string, Response | Reference> {
  const codes = errorCodesOf(operation);
  const statuses = new Set(codes.map((code) => ERRORS[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => {
      const [first, ...others] = codes.filter((code) => ERRORS[code].status === status);
      if (first === undefined) throw new Error(`no code of status ${status}`);
      if (first === "invalid_request") return [status, errorResponse([invalidRequest(operation)])];
      if (others.length === 0) return [status, { $ref: `#/components/responses/${componentName(first)}` }];
      return [status, errorResponse([first, ...others].map((code) => registered(code)))];
    }),
  );
}

/** The error responses that are components. */
export function sharedErrorResponses(operations: readonly Operation[]): Record<string, Response> {
  const used = new Set(
    operations.flatMap((operation) =>
      Object.values(errorResponsesOf(operation)).flatMap((response) =>
        "$ref" in response ? [response.$ref] : [],
      ),
    ),
  );
  return Object.fromEntries(
    errorCodes
      .filter((code) => used.has(`#/components/responses/${componentName(code)}`))
      .map((code) => [componentName(code), errorResponse([registered(code)])]),
  );
}

/** `not_found` as `NotFound`. */
function componentName(code: ErrorCode): string {
  return code.split("_").map(capitalized).join("");
}

function errorResponse(errors: ErrorObject[]): Response {
  return {
    description: errors.map(({ code }) => `\`${code}\`: ${ERRORS[code].message}`).join("\n\n"),
    headers: errorHeaders(errors.map(({ code }) => code)),
    content: {
      "application/json": {
        schema: reference("ErrorBody"),
        examples: Object.fromEntries(
          errors.map((error) => [error.code, { value: { success: false, error } }]),
        ),
      },
    },
  };
}

function registered(code: ErrorCode, issues?: Issue[]): ErrorObject {
  const details = DETAILS[code];
  return {
    code,
    message: ERRORS[code].message,
    ...(issues === undefined ? {} : { issues }),
    ...(details === undefined ? {} : { details }),
    request_id: REQUEST_ID,
  };
}

/** The operation's actual response to an invalid request. */
function invalidRequest(operation: Operation): ErrorObject {
  const wrong = Object.fromEntries(pathParameters(operation).map((name) => [name, "1"]));
  const { error } = operation.input.safeParse({ ...wrong, colour: "green" });
  return registered("invalid_request", error && issuesOf(error));
}
