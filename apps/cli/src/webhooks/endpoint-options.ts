import { readFileSync } from "node:fs";
import { text } from "@findersfee/contract/fields";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import type { Command } from "commander";
import { z } from "zod";
import { commaList, UsageError } from "../options.ts";

/** `all` is null in the contract: every type, including types of later versions. */
const events = commaList
  .transform((types) => (types.join() === "all" ? null : types))
  .pipe(
    z
      .array(z.enum(eventTypes, { error: `Must be all, or one or more of ${eventTypes.join(", ")}.` }))
      .nullable(),
  );

const campaigns = commaList.transform((ids) => (ids.join() === "all" ? null : ids));

const requestsPerSecond = z.string().transform((value) => (value === "unlimited" ? null : Number(value)));

/** The options of `endpoint create` and `endpoint update` as parsed by commander. */
export const endpointOptionsShape = {
  url: text(2048).optional(),
  events: events.optional(),
  description: text(1000).optional(),
  campaigns: campaigns.optional(),
  requestsPerSecond: requestsPerSecond.optional(),
  ordered: z.boolean().optional(),
  header: z.array(z.string()).optional(),
  headerFile: z.string().optional(),
  removeHeader: z.array(z.string()).optional(),
};

type EndpointOptions = z.output<z.ZodObject<typeof endpointOptionsShape>>;

/** Adds the options for an endpoint's settings; all are optional. */
export function withEndpointSettings(command: Command): Command {
  return command
    .option("--events <list>", "only these event types; or all, including those of later versions")
    .option("--description <text>", "a note about its purpose")
    .option("--campaigns <list>", "only events of these campaigns' affiliates (ids), or all")
    .option(
      "--requests-per-second <number>",
      "the maximum number of attempts started per second, or unlimited",
    )
    .option("--ordered", "one delivery at a time, the oldest event first")
    .option("--no-ordered", "several deliveries at once, in any order")
    .option(
      "--header <header>",
      "a header to send with each delivery, 'X-Api-Key: 5f0b'; may be repeated",
      collect,
    )
    .option("--header-file <file>", "a file with one header per line (-: standard input)");
}

/** Collects a repeatable option. */
export function collect(value: string, former: string[] = []): string[] {
  return [...former, value];
}

/** The operation's input, without the fields that no option sets. */
export function endpointSettings(options: EndpointOptions): Record<string, unknown> {
  const { events, campaigns, requestsPerSecond, header, headerFile, removeHeader, ...rest } = options;
  const lines = [...(header ?? []), ...(headerFile === undefined ? [] : readLines(headerFile))];
  const custom_headers = Object.fromEntries([
    ...lines.map(headerOf),
    ...(removeHeader ?? []).map((name) => [name, null] as const),
  ]);
  const fields = {
    ...rest,
    event_types: events,
    campaign_ids: campaigns,
    requests_per_second: requestsPerSecond,
    custom_headers: Object.keys(custom_headers).length === 0 ? undefined : custom_headers,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function headerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  // The line may contain a credential, so the message does not show it.
  if (colon < 1) throw new UsageError("--header: Must have a name and a value, as in 'X-Api-Key: 5f0b'.");
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

/** A value from a file does not appear in the shell's history. */
function readLines(file: string): string[] {
  try {
    const lines = readFileSync(file === "-" ? process.stdin.fd : file, "utf8").split("\n");
    return lines.filter((line) => line.trim() !== "");
  } catch (error) {
    throw new UsageError(`--header-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}
