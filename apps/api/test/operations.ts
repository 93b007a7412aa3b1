import { ERRORS, type ErrorCode, type ErrorObject } from "@findersfee/contract/errors";
import { getInputOutputParsers, type OpenApiProcedure } from "trpc-openapi";
import { expect } from "vitest";
import type { z } from "zod";
import type { OperationMeta } from "../src/trpc/trpc.ts";
import { v1 } from "../src/v1-router.ts";
import type { Surfaces } from "./test-service.ts";

/** An operation of the router, called by name on either surface. */
export interface Operation {
  /** As in `affiliates.create`. */
  name: string;
  type: "query" | "mutation";
  method: string;
  /** The REST path with its parameters, as in `/affiliates/{id}`. */
  path: string;
  /** The operation's declared errors, in addition to the common ones. */
  errors: readonly ErrorCode[];
  input: z.ZodObject;
}

/** Every operation of the router; new operations are included automatically. */
export const operations: readonly Operation[] = Object.entries(
  v1._def.procedures as unknown as Record<string, OpenApiProcedure>,
).map(([name, procedure]) => {
  const meta = procedure._def.meta as OperationMeta | undefined;
  const { type } = procedure._def as unknown as { type: "query" | "mutation" };
  if (meta?.openapi === undefined) throw new Error(`${name} has no REST path`);
  const { method, path } = meta.openapi;
  const { inputParser } = getInputOutputParsers(procedure);
  return { name, type, method, path, errors: meta.errors ?? [], input: inputParser as z.ZodObject };
});

export function operationNamed(name: string): Operation {
  const operation = operations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`unknown operation ${name}`);
  return operation;
}

/** A response without the surface's own envelope. */
export interface Outcome {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: other tests validate the responses
  data: any;
  /** Null for a success. */
  error: ErrorObject | null;
}

export type Input = Record<string, unknown>;

export const surfaces = ["rest", "trpc"] as const;

/** The common errors of all operations; others must be declared. */
const ERRORS_OF_ALL: readonly ErrorCode[] = [
  "invalid_request",
  "unauthorized",
  "insufficient_scope",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limited",
  "internal_error",
  "unavailable",
];

/** Calls an operation on one surface. An undeclared error fails the test. */
export async function call(
  surface: (typeof surfaces)[number],
  client: Surfaces,
  { name, input = {}, headers = {} }: { name: string; input?: Input; headers?: Record<string, string> },
): Promise<Outcome> {
  const operation = operationNamed(name);
  const send = surface === "rest" ? callRest : callTrpc;
  const outcome = await send(client, operation, { input, headers });
  if (outcome.error !== null) {
    expect([...ERRORS_OF_ALL, ...operation.errors]).toContain(outcome.error.code);
    expect(outcome.status).toBe(ERRORS[outcome.error.code].status);
  }
  return outcome;
}

interface Sent {
  input: Input;
  headers: Record<string, string>;
}

async function callRest(
  client: Surfaces,
  { method, path }: Operation,
  { input, headers }: Sent,
): Promise<Outcome> {
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => {
    const value = rest[parameter];
    delete rest[parameter];
    return encodeURIComponent(String(value));
  });
  const response =
    method === "GET"
      ? await client.rest(method, filled + queryOf(rest), undefined, headers)
      : await client.rest(method, filled, rest, headers);
  const { success, error, ...wrapped } = response.body;
  expect(success).toBe(response.status === 200);
  if (response.status !== 200) {
    expect(Object.keys(wrapped)).toEqual([]);
    return { status: response.status, headers: response.headers, data: null, error };
  }
  const is_list = "pagination" in wrapped;
  expect(Object.keys(wrapped)).toEqual(is_list ? ["data", "pagination"] : ["data"]);
  const data = is_list ? wrapped : wrapped.data;
  return { status: response.status, headers: response.headers, data, error: null };
}

function queryOf(input: Input): string {
  const query = new URLSearchParams(
    Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return query.size === 0 ? "" : `?${query}`;
}

async function callTrpc(
  { url, api_key }: Surfaces,
  { name, type }: Operation,
  { input, headers }: Sent,
): Promise<Outcome> {
  const text = JSON.stringify(input);
  const query = type === "query" ? `?input=${encodeURIComponent(text)}` : "";
  const response = await fetch(`${url}/v1/trpc/${name}${query}`, {
    method: type === "query" ? "GET" : "POST",
    headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json", ...headers },
    ...(type === "query" ? {} : { body: text }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the body is checked below
  const body: any = await response.json();
  if (response.status === 200) {
    expect(Object.keys(body)).toEqual(["result"]);
    return { status: 200, headers: response.headers, data: body.result.data, error: null };
  }
  const { httpStatus, ...error } = body.error.data;
  expect(httpStatus).toBe(response.status);
  expect(body.error.message).toBe(error.message);
  return { status: response.status, headers: response.headers, data: null, error };
}

/**
 * The output of a call that succeeds identically on both surfaces. Not for creates, which would create two
 * rows.
 */
// biome-ignore lint/suspicious/noExplicitAny: see Outcome
export async function answerOf(client: Surfaces, name: string, input: Input = {}): Promise<any> {
  const rest = await call("rest", client, { name, input });
  const trpc = await call("trpc", client, { name, input });
  expect([rest.status, rest.error]).toEqual([200, null]);
  expect(trpc.data).toEqual(rest.data);
  return rest.data;
}

/** The error of a call that fails identically on both surfaces, without its request id. */
export async function errorOf(
  client: Surfaces,
  name: string,
  input: Input = {},
): Promise<Omit<ErrorObject, "request_id">> {
  const errors = [];
  for (const surface of surfaces) {
    const { error } = await call(surface, client, { name, input });
    if (error === null) throw new Error(`${name} succeeded over ${surface}`);
    const { request_id, ...rest } = error;
    expect(request_id).toMatch(/^req-/);
    errors.push(rest);
  }
  const [rest, trpc] = errors;
  expect(trpc).toEqual(rest);
  return rest as Omit<ErrorObject, "request_id">;
}

/** The invalid fields of an input, identical on both surfaces. (In a query, REST only has text.) */
export async function refusedFields(client: Surfaces, name: string, input: Input): Promise<string[]> {
  const refused = [];
  for (const surface of surfaces) {
    const { error } = await call(surface, client, { name, input });
    expect(error?.code).toBe("invalid_request");
    refused.push((error?.issues ?? []).map(({ path }) => path));
  }
  const [rest = [], trpc] = refused;
  expect(trpc).toEqual(rest);
  return rest;
}
