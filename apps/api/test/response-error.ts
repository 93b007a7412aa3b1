import {
  ERRORS,
  type ErrorCode,
  type ErrorObject,
  errorBodySchema,
  errorSchema,
} from "@findersfee/contract/errors";
import { expect } from "vitest";
import { z } from "zod";

/** With the codes that only sessions get, which the API does not have. */
const error = {
  ...errorSchema.shape,
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
};

const restBody = z.strictObject({ ...errorBodySchema.shape, error: z.strictObject(error) });

const trpcBody = z.strictObject({
  error: z.strictObject({
    message: z.string(),
    code: z.int().negative(),
    data: z.strictObject({ ...error, httpStatus: z.int() }),
  }),
});

/** The error in a response, which must have its surface's shape and its code's status. */
export function responseError(
  surface: "rest" | "trpc",
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
): ErrorObject {
  const error = surface === "rest" ? restBody.parse(body).error : trpcError(body, status);
  expect(status).toBe(ERRORS[error.code].status);
  expect(error.message).not.toBe("");
  // The contract's messages, not zod's.
  for (const { message } of error.issues ?? []) expect(message).not.toMatch(/^(Invalid|Too|Unrecognized) /);
  if (status === 401) expect(headers.get("www-authenticate")).toMatch(/^Bearer /);
  expect(error.request_id).toMatch(/^(req-|none$)/);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  if (error.code === "unavailable" || error.code === "rate_limited") {
    expect(headers.get("retry-after")).toMatch(/^\d+$/);
  }
  if (error.code === "method_not_allowed") expect(headers.get("allow")).toMatch(/[A-Z]/);
  return error;
}

function trpcError(body: unknown, status: number): ErrorObject {
  const { message, data } = trpcBody.parse(body).error;
  const { httpStatus, ...error } = data;
  expect(httpStatus).toBe(status);
  expect(error.message).toBe(message);
  return error;
}
