import { ERRORS, type ErrorCode, type ErrorObject } from "@findersfee/contract/errors";
import { isOfTestData, isOutage, isTimeLimit, isTransient } from "@findersfee/database/postgres/errors";
import { DomainError, type DomainErrorOptions } from "@findersfee/domain/errors";
import { TRPCError } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { z } from "zod";
import { issuesOf, MAX_ISSUES } from "./issues.ts";

/** Protocol errors identified by a number: the names that HTTP and Fastify use for the registry's errors. */
const CODE_BY_STATUS: Partial<Record<number, ErrorCode>> = {
  404: "not_found",
  405: "method_not_allowed",
  413: "payload_too_large",
  415: "unsupported_media_type",
  429: "rate_limited",
  503: "unavailable",
};

const CODE_BY_TRPC: Partial<Record<TRPCError["code"], ErrorCode>> = {
  PARSE_ERROR: "invalid_request",
  BAD_REQUEST: "invalid_request",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  PAYLOAD_TOO_LARGE: "payload_too_large",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
};

/**
 * Converts anything thrown into the caller's error. An unknown error becomes an `internal_error`, which hides
 * its cause.
 */
export function toErrorObject(error: unknown, requestId: string): ErrorObject {
  if (error instanceof DomainError) {
    const { code, message, issues, details } = error;
    return registered(code, requestId, { message, issues, details });
  }
  if (isTransient(error)) return registered("unavailable", requestId, { message: whyUnavailable(error) });
  if (isOfTestData(error)) return registered("test_data", requestId);
  if (error instanceof TRPCError) return fromTrpc(error, requestId);
  return fromFastify(error, requestId);
}

/** Whether an error is a failure of the whole database, also as tRPC wraps it. */
export function isOfOutage(error: unknown): boolean {
  return isOutage(error) || (error instanceof TRPCError && isOutage(error.cause));
}

/** Whether a statement reached its time limit, or was canceled, also as tRPC wraps it. */
export function isTooSlow(error: unknown): boolean {
  return isTimeLimit(error) || (error instanceof TRPCError && isTimeLimit(error.cause));
}

export const TOO_SLOW =
  "The request took too long, and was stopped. Ask for less, or try again in a few seconds.";

/** Slow is not unreachable: each has another remedy. */
function whyUnavailable(error: unknown): string {
  if (isOutage(error)) return ERRORS.unavailable.message;
  if (isTimeLimit(error)) return TOO_SLOW;
  return "Other requests changed the same data at the same time. Try again in a few seconds.";
}

export function statusOf(error: ErrorObject): number {
  return ERRORS[error.code].status;
}

/** An error for tRPC clients: JSON-RPC's number, and the same object as in REST under `data`. */
export function toTrpcShape(object: ErrorObject) {
  const httpStatus = statusOf(object);
  // tRPC reads the response's status from `httpStatus`.
  return { message: object.message, code: jsonRpcCode(httpStatus), data: { httpStatus, ...object } };
}

/** The error of a tRPC procedure: the library's shape, with the object in it. */
export function formatError<Shape extends object>({
  shape,
  error,
  ctx,
}: {
  shape: Shape;
  error: TRPCError;
  ctx: { request_id: string } | undefined;
}) {
  return { ...shape, ...toTrpcShape(toErrorObject(error, ctx?.request_id ?? "")) };
}

/** An error of the registry with its additional facts; the fields always have the same order. */
function registered(
  code: ErrorCode,
  requestId: string,
  { message = ERRORS[code].message, issues, details }: DomainErrorOptions = {},
): ErrorObject {
  return {
    code,
    message,
    ...(issues === undefined ? {} : { issues: issues.slice(0, MAX_ISSUES) }),
    ...(details === undefined ? {} : { details }),
    request_id: requestId,
  };
}

/** tRPC wraps errors thrown by procedures, and has its own errors for inputs and paths. */
function fromTrpc(error: TRPCError, requestId: string): ErrorObject {
  const { cause, code } = error;
  if (cause instanceof DomainError || isTransient(cause) || isOfTestData(cause))
    return toErrorObject(cause, requestId);
  if (code === "BAD_REQUEST" && cause instanceof z.ZodError) {
    return registered("invalid_request", requestId, { issues: issuesOf(cause) });
  }
  const known = CODE_BY_TRPC[code];
  if (known === undefined) return registered("internal_error", requestId);
  return known === "invalid_request" || known === "not_found"
    ? registered(known, requestId, { message: error.message })
    : registered(known, requestId);
}

/** Fastify's errors carry their intended status. */
function fromFastify(error: unknown, requestId: string): ErrorObject {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (!(error instanceof Error) || typeof status !== "number") return registered("internal_error", requestId);
  const code = CODE_BY_STATUS[status];
  // Among Fastify's own errors, the time limit of a handler has this status.
  if (code === "unavailable") return registered(code, requestId, { message: TOO_SLOW });
  if (code !== undefined) return registered(code, requestId);
  return status >= 400 && status < 500
    ? registered("invalid_request", requestId, { message: error.message })
    : registered("internal_error", requestId);
}

/** JSON-RPC error numbers, which tRPC clients expect, by HTTP status. */
function jsonRpcCode(status: number): (typeof TRPC_ERROR_CODES_BY_KEY)[keyof typeof TRPC_ERROR_CODES_BY_KEY] {
  switch (status) {
    case 400:
      return TRPC_ERROR_CODES_BY_KEY.BAD_REQUEST;
    case 401:
      return TRPC_ERROR_CODES_BY_KEY.UNAUTHORIZED;
    case 403:
      return TRPC_ERROR_CODES_BY_KEY.FORBIDDEN;
    case 404:
      return TRPC_ERROR_CODES_BY_KEY.NOT_FOUND;
    case 405:
      return TRPC_ERROR_CODES_BY_KEY.METHOD_NOT_SUPPORTED;
    case 409:
      return TRPC_ERROR_CODES_BY_KEY.CONFLICT;
    case 413:
      return TRPC_ERROR_CODES_BY_KEY.PAYLOAD_TOO_LARGE;
    case 415:
      return TRPC_ERROR_CODES_BY_KEY.UNSUPPORTED_MEDIA_TYPE;
    case 429:
      return TRPC_ERROR_CODES_BY_KEY.TOO_MANY_REQUESTS;
    case 503:
      return TRPC_ERROR_CODES_BY_KEY.SERVICE_UNAVAILABLE;
    default:
      return TRPC_ERROR_CODES_BY_KEY.INTERNAL_SERVER_ERROR;
  }
}
