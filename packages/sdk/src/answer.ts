import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { Failure } from "./errors.ts";
import type { Answer } from "./exchange.ts";
import type { Issue } from "./resources.ts";
import { readRetryAfter } from "./retry-delay.ts";

/** What became of one attempt of a call. */
export type Outcome = { data: object } | { failure: Failure; retry?: Retry };

/** What is known about trying again, the same for all calls of one request. */
export interface Retry {
  asked_milliseconds: number | null;
  jitter: number;
}

type Fields = Record<string, unknown>;

/** What became of each of the calls that one request made; of a batch the answer is a list. */
export function readOutcomes(
  answer: Answer | { failure: Failure },
  { calls, base_url }: { calls: number; base_url: string },
): Outcome[] {
  const retry = { asked_milliseconds: null, jitter: Math.random() };
  if ("failure" in answer) return Array(calls).fill({ ...answer, retry });
  return readAnswer(answer, { calls, base_url, jitter: retry.jitter });
}

function readAnswer(
  answer: Answer,
  { calls, base_url, jitter }: { calls: number; base_url: string; jitter: number },
): Outcome[] {
  const retry = { asked_milliseconds: readRetryAfter(answer.headers.get("retry-after"), Date.now()), jitter };
  const body = answer.is_redirect ? undefined : parse(answer.text);
  const parts = calls > 1 && Array.isArray(body) && body.length === calls ? body : Array(calls).fill(body);
  return parts.map((part) => {
    const data = dataOf(part);
    return data === null
      ? { failure: withWaiting(failureOf(part, answer, base_url), retry), retry }
      : { data };
  });
}

/** For those who try again themselves. */
function withWaiting(failure: Failure, { asked_milliseconds }: Retry): Failure {
  if (asked_milliseconds === null) return failure;
  const retry_after_seconds = `${Math.ceil(asked_milliseconds / 1000)}`;
  return { ...failure, details: { ...failure.details, retry_after_seconds } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function dataOf(part: unknown): object | null {
  const { data } = fieldsOf(fieldsOf(part).result);
  return typeof data === "object" ? data : null;
}

function failureOf(part: unknown, answer: Answer, base_url: string): Failure {
  const { error } = fieldsOf(part);
  const of_procedure = fieldsOf(fieldsOf(error).data);
  if (typeof of_procedure.code === "string") return serviceFailure(of_procedure, answer, base_url);
  const of_service = fieldsOf(error);
  // Beside its procedures' paths the service knows errors, too: then the base URL leads to other paths of it.
  const is_elsewhere = of_service.code === "not_found" || of_service.code === "method_not_allowed";
  if (typeof of_service.code === "string" && !is_elsewhere)
    return serviceFailure(of_service, answer, base_url);
  return foreignFailure(answer, base_url);
}

/** An error in the service's own words. */
function serviceFailure(fields: Fields, { status, headers }: Answer, base_url: string): Failure {
  const issues = readIssues(fields.issues);
  const code = readCode(fields.code, status);
  const own = typeof fields.httpStatus === "number" ? fields.httpStatus : status;
  return {
    code,
    message: messageOf(code, { text: textOf(fields.message, code), issues, base_url }),
    status: own,
    requestId: typeof fields.request_id === "string" ? fields.request_id : headers.get("x-request-id"),
    issues,
    details: readDetails(fields.details),
  };
}

function textOf(message: unknown, code: ErrorCode): string {
  return typeof message === "string" ? message : `The service answered with ${code}.`;
}

function messageOf(
  code: ErrorCode,
  { text, issues, base_url }: { text: string; issues: Issue[]; base_url: string },
): string {
  if (code === "unauthorized") {
    return `The service at ${base_url} does not accept the API key. Check that it is complete, of this service, and neither expired nor revoked.`;
  }
  if (issues.length === 0) return text;
  return `${text} ${issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join(" ")}`;
}

/** A code of a newer service, which this client does not know, is taken for the most general one. */
function readCode(code: unknown, status: number): ErrorCode {
  const known = errorCodes.find((one) => one === code);
  return known ?? (status >= 500 ? "internal_error" : "invalid_request");
}

function readIssues(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.map((issue) => {
    const { path, message } = fieldsOf(issue);
    return { path: String(path), message: String(message) };
  });
}

function readDetails(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, fact]) => [name, String(fact)]));
}

/** An answer that is not of the service's making: of a proxy in front of it, or of something else altogether. */
function foreignFailure({ status, headers, is_redirect, text }: Answer, base_url: string): Failure {
  const known = { status, requestId: headers.get("x-request-id") };
  if (status === 429) {
    return { ...known, code: "rate_limited", message: `Too many requests, says a proxy before ${base_url}.` };
  }
  if (status === 502 || status === 503 || status === 504) {
    const message = `The service at ${base_url} cannot be reached, says a proxy before it (status ${status}).`;
    return { ...known, code: "unavailable", message };
  }
  const what = is_redirect ? redirection(headers) : `${kindOf(headers, text)} with status ${status}`;
  return {
    ...known,
    code: "invalid_response",
    message: `${base_url} answered with ${what}, as Findersfee does not. Check baseUrl: it must be the service's address, with or without /v1.`,
  };
}

function redirection(headers: Headers): string {
  const location = headers.get("location");
  return location === null ? "a redirect" : `a redirect to ${location.split("?")[0]}`;
}

function kindOf(headers: Headers, text: string): string {
  if (text === "") return "nothing";
  const type = headers.get("content-type")?.split(";")[0] ?? "text of no type";
  return type === "text/html" ? "an HTML page" : type;
}
