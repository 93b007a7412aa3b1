import type { ParsedMessage } from "./parsed-message.ts";
import "@findersfee/contract/messages";
import type { z } from "zod";

const MAX_REASON_LENGTH = 500;

/** Names the unsupported field of a message, and the reason, for the operator who examines the dead letter. */
class UnsupportedMessage extends Error {
  constructor(path: string, why: string) {
    const reason = path === "" ? why : `${path}: ${why}`;
    // A path may contain a name chosen by the sender, of any length and with characters that no database stores.
    super(reason.replaceAll("\u0000", "").toWellFormed().slice(0, MAX_REASON_LENGTH).toWellFormed());
  }
}

/** Stops parsing a message at a field. */
export function refuse(path: string, why: string): never {
  throw new UnsupportedMessage(path, why);
}

/** Parses a part of a message by a schema. Stops with the path of the field if it does not match. */
export function read<Output>(schema: z.ZodType<Output>, part: unknown, path: string): Output {
  const result = schema.safeParse(part);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue === undefined) return refuse(path, "Is not valid.");
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return refuse(pathOf(path, [...issue.path, ...unknown]), issue.message);
}

/** Returns the result of parsing, or the reason why it stopped. */
export function catchUnsupported(reading: () => ParsedMessage): ParsedMessage {
  try {
    return reading();
  } catch (error) {
    if (error instanceof UnsupportedMessage) return { outcome: "unsupported", reason: error.message };
    throw error;
  }
}

/** `data.object` and `["lines", "data", 0]` as `data.object.lines.data[0]`. */
function pathOf(start: string, steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, start);
}
