import type { Operation } from "@findersfee/api/openapi/operations";
import { errorCodes, issueSchema } from "@findersfee/contract/errors";
import { splitReadOnly } from "@findersfee/contract/read-only";
import { eventSchema, feedEventSchemas } from "@findersfee/contract/webhooks/events";
import { z } from "zod";
import { eventsSource } from "./events.ts";
import { operationsSource, proceduresSource } from "./operations.ts";
import { readSchema, type Schema, type Side } from "./schema.ts";
import { comment, importOf, interfaceOf, referencedNames } from "./typescript.ts";

const HEADING =
  "// Generated from the service's schemas by `pnpm --filter @findersfee/sdk generate`; do not edit.";

/** Generates the SDK files that follow from the contract, by file name in `src/`. */
export function generateSources(operations: readonly Operation[]): Map<string, string> {
  const answers = namedSchemas([...operations.map(({ output }) => output), issueSchema], "output");
  const events = new Map([...namedSchemas([eventSchema], "output")].filter(([name]) => isOfEvents(name)));
  const feed = [eventSchema, ...Object.values(feedEventSchemas)].flatMap((schema) => schema.meta()?.id ?? []);
  for (const name of [...events.keys(), ...feed]) answers.delete(name);
  const sources = {
    "resources/resources.ts": [...answers].map(([name, schema]) => interfaceOf(name, schema, "output")),
    "resources/requests.ts": requestsSource(operations, [...answers.keys()]),
    "resources/events.ts": eventsSource(events, [...answers.keys()]),
    "operations/operations.ts": operationsSource(operations),
    "operations/procedures.ts": proceduresSource(operations),
    "resources/error-codes.ts": errorCodesSource(),
  };
  return new Map(
    Object.entries(sources).map(([name, parts]) => [name, `${[HEADING, ...parts].join("\n\n")}\n`]),
  );
}

/** The types that only events use: their data, and the reduced resources in it. */
function isOfEvents(name: string): boolean {
  return /^Reduced(Campaign|Affiliate)$|EventData$/.test(name);
}

/** Every named schema that these schemas refer to, directly or indirectly. */
function namedSchemas(roots: readonly z.ZodType[], side: Side): Map<string, Schema> {
  return new Map(roots.flatMap((root) => [...readSchema(root, side).named]));
}

/** Generates the requests; `resources` names the response types, which updates accept as well. */
function requestsSource(operations: readonly Operation[], resources: readonly string[]): string[] {
  const inputs = operations.map(({ input }) => withReadOnly(input));
  const parts = namedSchemas(inputs, "input");
  for (const name of resources) parts.delete(name);
  const requests = operations.map((operation, index): [string, Schema] => {
    const { root } = readSchema(inputs[index] ?? operation.input, "input");
    return [operation.body_name, { ...root, description: purposeOf(operation) }];
  });
  const used = requests.flatMap(([, schema]) => referencedNames(schema));
  return [
    importOf(
      used.filter((name) => resources.includes(name)),
      "./resources.ts",
    ),
    ...[...parts, ...requests].map(([name, schema]) => interfaceOf(name, schema, "input")),
  ];
}

/** An input with its read-only fields typed as in the response. */
function withReadOnly(input: z.ZodObject): z.ZodObject {
  const { writable, read_only } = splitReadOnly(input);
  const taken_back = Object.entries(read_only).map(
    ([name, schema]) => [name, schema.meta({ readOnly: true }).optional()] as const,
  );
  return z.strictObject({ ...writable.shape, ...Object.fromEntries(taken_back) });
}

function purposeOf({ id, input, method }: Operation): string {
  if (id.startsWith("update")) {
    return "The fields to change. Omitted fields keep their values; `null` clears a field. Read-only fields are accepted with their current values, so you can read an object, change it and send it back.";
  }
  if (id.startsWith("list")) return "Filters and page size.";
  if (Object.keys(input.shape).join() === "id") return "Identifies the resource.";
  return method === "get" ? "The resource or report to read." : "The fields of the new resource.";
}

function errorCodesSource(): string[] {
  const codes = errorCodes.map((code) => `  "${code}",`);
  return [
    [
      ...comment("The error codes of the service."),
      "export const errorCodes = [",
      ...codes,
      "] as const;",
    ].join("\n"),
    "export type ErrorCode = (typeof errorCodes)[number];",
  ];
}
