import type { AppRouter } from "@findersfee/api/router";
import type { ErrorCode, ErrorObject, Issue } from "@findersfee/contract/errors";
import type { TRPCClientError } from "@trpc/client";

/** Why a request failed. */
export interface Failure {
  /** 0: there was no response. */
  status: number;
  code: ErrorCode | "unreachable" | "unknown";
  message: string;
  request_id: string | undefined;
  issues: readonly Issue[];
  /** From when the same request may succeed. */
  retry_after_seconds: number | null;
}

/** The error object of a response, as errors.ts of the API writes it. */
interface ErrorData {
  httpStatus: number;
  code: ErrorCode;
  message: string;
  request_id?: string;
  issues?: Issue[];
}

const UNREACHABLE = "The service cannot be reached. Check your connection and try again.";

/** A request outside of tRPC that failed; without a response if the service could not be reached. */
export class RequestFailed extends Error {
  readonly response: Response | null;
  readonly error: ErrorObject | null;

  constructor(response: Response | null, error: ErrorObject | null) {
    super(error?.message ?? UNREACHABLE);
    this.response = response;
    this.error = error;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RequestFailed) return failureOfRequest(error);
  if (!isTrpcError(error)) return unknownFailure(error);
  const data: ErrorData | null | undefined = error.data;
  if (data === null || data === undefined) return unreachable();
  return {
    status: data.httpStatus,
    code: data.code,
    message: data.message,
    request_id: data.request_id,
    issues: data.issues ?? [],
    retry_after_seconds: retryAfter(error.meta?.response),
  };
}

function failureOfRequest({ response, error, message }: RequestFailed): Failure {
  if (response === null) return unreachable();
  return {
    status: response.status,
    code: error?.code ?? "unknown",
    message,
    request_id: error?.request_id,
    issues: error?.issues ?? [],
    retry_after_seconds: retryAfter(response),
  };
}

/** Without the class itself, which would bring tRPC's client to pages without one. */
function isTrpcError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof Error && error.name === "TRPCClientError";
}

function unreachable(): Failure {
  return {
    status: 0,
    code: "unreachable",
    message: UNREACHABLE,
    request_id: undefined,
    issues: [],
    retry_after_seconds: null,
  };
}

function unknownFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { ...unreachable(), code: "unknown", message };
}

function retryAfter(response: unknown): number | null {
  if (!(response instanceof Response)) return null;
  const seconds = Number(response.headers.get("retry-after"));
  return seconds > 0 ? seconds : null;
}
