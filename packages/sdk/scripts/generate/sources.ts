import type { Operation } from "@findersfee/api/openapi/operations";
import { errorCodes, issueSchema } from "@findersfee/contract/errors";
import { eventSchema, feedEventSchemas } from "@findersfee/contract/events";
import type { z } from "zod";
import { eventsSource } from "./events.ts";
import { operationsSource, proceduresSource } from "./operations.ts";
import { readSchema, type Schema, type Side } from "./schema.ts";
import { comment, interfaceOf } from "./typescript.ts";

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
    "requests.ts": requestsSource(operations),
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

function requestsSource(operations: readonly Operation[]): string[] {
  const parts = namedSchemas(
    operations.map(({ input }) => input),
    "input",
  );
  const requests = operations.map((operation): [string, Schema] => {
    const { root } = readSchema(operation.input, "input");
    return [operation.body_name, { ...root, description: purposeOf(operation) }];
  });
  return [...parts, ...requests].map(([name, schema]) => interfaceOf(name, schema, "input"));
}

function purposeOf({ id, input }: Operation): string {
  if (id.startsWith("update")) return "What to change: omitted fields stay as they are; `null` clears.";
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
