import { eventTypes } from "@findersfee/contract/webhooks/events";
import type { Command } from "commander";
import { z } from "zod";

/** The command line is invalid; the exit code is 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** `--json`, an option of every command that prints data. */
export const jsonOption = { json: z.boolean().default(false) };

/** Adds `--json` to a command. */
export function withJson(command: Command): Command {
  return command.option("--json", "print only JSON");
}

/**
 * Validates the options that commander parsed.
 *
 * @throws UsageError with the first invalid option
 */
export function readOptions<Shape extends z.ZodRawShape>(
  shape: Shape,
  raw: unknown,
): z.output<z.ZodObject<Shape>> {
  const result = z.object(shape).safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`${flagOf(String(issue?.path[0]))}: ${issue?.message}`);
}

/** Options with names that differ from the fields they set. */
const FLAGS: Record<string, string> = {
  campaign_ids: "--campaigns",
  custom_headers: "--header",
  event_types: "--events",
  expires_at: "--expires",
  livemode: "--test-mode",
};

/** The option that sets a field, as typed; for a path, including the nested field. */
export function flagOf(path: string): string {
  const [field = path] = path.split(/[.[]/, 1);
  const within = path.slice(field.length).replace(/^\./, " ");
  const spelled = field.replace(/[A-Z_]/g, (letter) => (letter === "_" ? "-" : `-${letter.toLowerCase()}`));
  return `${FLAGS[field] ?? `--${spelled}`}${within}`;
}

/**
 * Validates an argument.
 *
 * @throws UsageError with the argument's name
 */
export function readArgument<Value>(name: string, schema: z.ZodType<Value>, raw: unknown): Value {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  throw new UsageError(`${name}: ${result.error.issues[0]?.message}`);
}

/** An event type; the error lists all of them. */
export const eventTypeInput = z.enum(eventTypes, { error: `Must be one of ${eventTypes.join(", ")}.` });

/** Parses `a,b` as a list. */
export const commaList = z.string().transform((value) => value.split(",").map((part) => part.trim()));
