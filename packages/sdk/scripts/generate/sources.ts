import type { Operation } from "@findersfee/api/openapi/operations";
import { errorCodes, issueSchema } from "@findersfee/contract/errors";
import { eventSchema, feedEventSchemas } from "@findersfee/contract/events";
import { splitReadOnly } from "@findersfee/contract/read-only";
import { z } from "zod";
import { eventsSource } from "./events.ts";
import { operationsSource, proceduresSource } from "./operations.ts";
import { readSchema, type Schema, type Side } from "./schema.ts";
import { comment, importOf, interfaceOf, referencedNames } from "./typescript.ts";

const HEADING =
  "// Made from the service's own schemas by `pnpm --filter @findersfee/sdk generate`; not to be edited.";

/** The files of the SDK that follow from the contract, by their names in `src/`. */
export function generateSources(operations: readonly Operation[]): Map<string, string> {
  const answers = namedSchemas([...operations.map(({ output }) => output), issueSchema], "output");
  const events = new Map([...namedSchemas([eventSchema], "output")].filter(([name]) => isOfEvents(name)));
  const feed = [eventSchema, ...Object.values(feedEventSchemas)].flatMap((schema) => schema.meta()?.id ?? []);
  for (const name of [...events.keys(), ...feed]) answers.delete(name);
  const sources = {
    "resources.ts": [...answers].map(([name, schema]) => interfaceOf(name, schema, "output")),
    "requests.ts": requestsSource(operations, [...answers.keys()]),
    "events.ts": eventsSource(events, [...answers.keys()]),
    "operations.ts": operationsSource(operations),
    "procedures.ts": proceduresSource(operations),
    "error-codes.ts": errorCodesSource(),
  };
  return new Map(
    Object.entries(sources).map(([name, parts]) => [name, `${[HEADING, ...parts].join("\n\n")}\n`]),
  );
}

/** What only events have: their data, and the reduced resources in it. */
function isOfEvents(name: string): boolean {
  return /^Reduced(Campaign|Affiliate)$|EventData$/.test(name);
}

/** Every schema with a name that these consist of. */
function namedSchemas(roots: readonly z.ZodType[], side: Side): Map<string, Schema> {
  return new Map(roots.flatMap((root) => [...readSchema(root, side).named]));
}

/** The requests; `resources` are the names of what the API answers with, which updates take back. */
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
      "resources.ts",
    ),
    ...[...parts, ...requests].map(([name, schema]) => interfaceOf(name, schema, "input")),
  ];
}

/** An input whose read-only fields have the types that they have in the answer. */
function withReadOnly(input: z.ZodObject): z.ZodObject {
  const { writable, read_only } = splitReadOnly(input);
  const taken_back = Object.entries(read_only).map(
    ([name, schema]) => [name, schema.meta({ readOnly: true }).optional()] as const,
  );
  return z.strictObject({ ...writable.shape, ...Object.fromEntries(taken_back) });
}

function purposeOf({ id, input }: Operation): string {
  if (id.startsWith("update")) {
    return "What to change: omitted fields stay as they are; `null` clears. Read-only fields are accepted with their current values, so an object can be read, changed and sent back whole.";
  }
  if (id.startsWith("list")) return "Which rows, and how many on a page.";
  return Object.keys(input.shape).join() === "id" ? "Which one." : "What is created.";
}

function errorCodesSource(): string[] {
  const codes = errorCodes.map((code) => `  "${code}",`);
  return [
    [
      ...comment("What the service refuses a request with, or fails with."),
      "export const errorCodes = [",
      ...codes,
      "] as const;",
    ].join("\n"),
    "export type ErrorCode = (typeof errorCodes)[number];",
  ];
}
