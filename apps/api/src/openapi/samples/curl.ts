import { type Syntax, writeLiteral } from "./literal.ts";
import type { SampleRequest } from "./request.ts";

/** The JSON text, as `curl` sends it and Go quotes it. */
export const JSON_SYNTAX: Syntax = {
  object: ["{", "}"],
  array: ["[", "]"],
  padding: " ",
  indent: "  ",
  trailing_comma: false,
  string: (text) => JSON.stringify(text),
  name: (name) => `${JSON.stringify(name)}: `,
  constants: ["null", "true", "false"],
};

export function curlSample({ method, path, body }: SampleRequest): string {
  const lines = [`curl "$FINDERSFEE_URL${path}"`, '-H "Authorization: Bearer $FINDERSFEE_API_KEY"'];
  if (method === "PUT" || (method === "POST" && body === null))
    lines[0] = `curl -X ${method} "$FINDERSFEE_URL${path}"`;
  if (body !== null) {
    const json = writeLiteral(body, JSON_SYNTAX, 1).replaceAll("'", "'\\''");
    lines.push('-H "Content-Type: application/json"', `-d '${json}'`);
  }
  return `${lines.join(" \\\n  ")}\n`;
}
