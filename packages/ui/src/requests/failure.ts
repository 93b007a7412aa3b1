import type { ErrorCode, ErrorObject, Issue } from "@findersfee/contract/errors";

/** Why a request failed. */
export interface Failure {
  /** 0: there was no response. */
  status: number;
  code: ErrorCode | "unreachable" | "unknown";
  message: string;
  request_id: string | undefined;
  issues: readonly Issue[];
  /** For programs, such as the id of the existing row. */
  details: Readonly<Record<string, string>>;
  /** From when the same request may succeed. */
  retry_after_seconds: number | null;
}

const UNREACHABLE = "The service cannot be reached. Check your connection and try again.";

/** A request that failed; without a response if the service could not be reached. */
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
  if (!(error instanceof RequestFailed)) return unknownFailure(error);
  const { response, error: object, message } = error;
  if (response === null) return unreachable();
  return {
    status: response.status,
    code: object?.code ?? "unknown",
    message,
    request_id: object?.request_id,
    issues: object?.issues ?? [],
    details: object?.details ?? {},
    retry_after_seconds: retryAfter(response),
  };
}

function unreachable(): Failure {
  return {
    status: 0,
    code: "unreachable",
    message: UNREACHABLE,
    request_id: undefined,
    issues: [],
    details: {},
    retry_after_seconds: null,
  };
}

function unknownFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { ...unreachable(), code: "unknown", message };
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get("retry-after"));
  return seconds > 0 ? seconds : null;
}
