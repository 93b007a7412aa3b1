import { z } from "zod";
import type { Operation } from "../operations.ts";
import { pathParameters } from "../operations.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The request that every sample of an operation sends. */
export interface SampleRequest {
  method: "GET" | "POST" | "PUT";
  /** The path and query relative to the service's address: `/v1/commissions?limit=10`. */
  path: string;
  body: { readonly [name: string]: Json } | null;
  /** True when the response is a page of rows. */
  is_list: boolean;
  /** The field of each row, or of the response, that the sample prints. */
  printed: "id" | "version";
  /** The SDK call: `resource.verb(input)`. */
  resource: string;
  verb: string;
  input: { readonly [name: string]: Json };
}

const ROWS = 10;

/** The request in an operation's samples: its example body, with `id` in its path. */
export function sampleRequest(
  { name, method, path, output, ...operation }: Operation,
  { id, body }: { id: string; body: SampleRequest["body"] },
): SampleRequest {
  const [resource = "", verb = ""] = name.split(".");
  const is_list = verb === "list";
  const in_path = pathParameters({ ...operation, name, method, path, output });
  const filled = in_path.reduce((text, parameter) => text.replace(`{${parameter}}`, id), path);
  const path_input = Object.fromEntries(in_path.map((parameter) => [parameter, id]));
  return {
    method: upperCase(method),
    path: `/v1${filled}${is_list ? `?limit=${ROWS}` : ""}`,
    body,
    is_list,
    printed: !is_list && output instanceof z.ZodObject && !("id" in output.shape) ? "version" : "id",
    resource,
    verb,
    input: { ...path_input, ...(is_list ? { limit: ROWS } : {}), ...body },
  };
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
