import type { Failure } from "../errors/errors.ts";
import { type ErrorCode, errorCodes } from "../resources/error-codes.ts";
import type { Issue } from "../resources/resources.ts";
import type { ClientSettings } from "../settings/settings.ts";
import type { RawResponse } from "./exchange.ts";

type Fields = Record<string, unknown>;

/** An object's fields; none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/**
 * Reads the error in a response of the service; null for a response that the service did not write. Every
 * error of the service has `code`, `message` and `request_id`; gateways write a `code` as well.
 */
export function serviceFailure(
  part: unknown,
  response: RawResponse,
  settings: ClientSettings,
): Failure | null {
  const error = fieldsOf(fieldsOf(part).error);
  const of_procedure = fieldsOf(error.data);
  if (isServiceError(of_procedure)) return failureOf(of_procedure, response, settings);
  // An error outside the procedures' paths means that the base URL leads to another path of the service.
  const is_elsewhere = error.code === "not_found" || error.code === "method_not_allowed";
  return isServiceError(error) && !is_elsewhere ? failureOf(error, response, settings) : null;
}

interface ServiceError extends Fields {
  code: string;
  message: string;
  request_id: string;
}

function isServiceError(fields: Fields): fields is ServiceError {
  return ["code", "message", "request_id"].every((name) => typeof fields[name] === "string");
}

function failureOf(error: ServiceError, { status }: RawResponse, { base_url }: ClientSettings): Failure {
  const issues = readIssues(error.issues);
  const own_status = typeof error.httpStatus === "number" ? error.httpStatus : status;
  const code = readCode(error.code, own_status);
  return {
    code,
    message: messageOf(code, { text: error.message, issues, base_url }),
    status: own_status,
    requestId: error.request_id,
    issues,
    details: readDetails(error.details),
  };
}

function messageOf(
  code: ErrorCode,
  { text, issues, base_url }: { text: string; issues: Issue[]; base_url: string },
): string {
  if (code === "unauthorized") {
    return `The service at ${base_url} does not accept the API key. Check that the key is complete, belongs to this service, and is neither expired nor revoked.`;
  }
  if (issues.length === 0) return text;
  return `${text} ${issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join(" ")}`;
}

/** Maps a code of a newer service, unknown to this client, to the most general code. */
function readCode(code: string, status: number): ErrorCode {
  const known = errorCodes.find((known_code) => known_code === code);
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
