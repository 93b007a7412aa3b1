import { z } from "zod";
import type { Operation } from "../operations.ts";
import { pathParameters } from "../operations.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The first of these that a response has. */
const PRINTED = ["id", "version", "currency", "starts_at", "affiliate_id", "reason"] as const;

/** The request that every sample of an operation sends. */
export interface SampleRequest {
  method: "GET" | "POST" | "PUT";
  /** The path and query relative to the service's address: `/v1/commissions?limit=10`. */
  path: string;
  body: { readonly [name: string]: Json } | null;
  /** A resource, a page of rows, or a feed's lines of JSON. */
  answer: "resource" | "page" | "lines";
  /** The field of each row or line, or of the response, that the sample prints. */
  printed: (typeof PRINTED)[number];
  /** The SDK call: `resource.verb(input)`. */
  resource: string;
  verb: string;
  input: { readonly [name: string]: Json };
}

const ROWS = 10;

/** The request in an operation's samples: its example body, with `id` in its path. */
export function sampleRequest(
  operation: Operation,
  { id, body }: { id: string; body: SampleRequest["body"] },
): SampleRequest {
  const { name, method, path, output } = operation;
  const [resource = "", verb = ""] = name.split(".");
  const answer = answerOf(operation);
  const in_path = pathParameters(operation);
  const filled = in_path.reduce((text, parameter) => text.replace(`{${parameter}}`, id), path);
  const path_input = Object.fromEntries(in_path.map((parameter) => [parameter, id]));
  const query: Record<string, Json> = answer === "resource" ? requiredQuery(operation) : { limit: ROWS };
  const search = new URLSearchParams(
    Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
  );
  return {
    method: upperCase(method),
    path: `/v1${filled}${search.size === 0 ? "" : `?${search.toString()}`}`,
    body,
    answer,
    printed: answer === "resource" ? printedOf(output) : "id",
    resource,
    verb,
    input: { ...path_input, ...query, ...body },
  };
}

function printedOf(output: z.ZodType): SampleRequest["printed"] {
  const names = output instanceof z.ZodObject ? Object.keys(output.shape) : [];
  return PRINTED.find((name) => names.includes(name)) ?? "id";
}

/** The examples of the parameters that a GET needs. */
function requiredQuery({ method, input, path }: Operation): Record<string, Json> {
  if (method !== "get") return {};
  return Object.fromEntries(
    Object.entries(input.shape as Record<string, z.ZodType>)
      .filter(([name, schema]) => !path.includes(`{${name}}`) && !schema.safeParse(undefined).success)
      .map(([name, schema]) => [name, schema.meta()?.example as Json]),
  );
}

function answerOf({ name, success_type }: Operation): SampleRequest["answer"] {
  if (success_type === "application/x-ndjson") return "lines";
  return name.endsWith(".list") ? "page" : "resource";
}

function upperCase(method: Operation["method"]): SampleRequest["method"] {
  switch (method) {
    case "get":
      return "GET";
    case "post":
      return "POST";
    case "put":
      return "PUT";
  }
}
