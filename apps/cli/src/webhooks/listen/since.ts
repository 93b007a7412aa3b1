import { idInput, timestampInput } from "@findersfee/contract/fields";
import { z } from "zod";

/** The starting point for events. */
export type Since = { now: true } | { event_id: string } | { time: string };

const HELP =
  "Must be now, an event's id, an age such as 30s, 15m, 2h or 7d, or a time with an offset, as in 2026-11-20T09:30:00Z.";

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** `now`, an event's id, an age or a time, none of them in the future. */
export const sinceInput = z.string().transform((text, context): Since => {
  const since = readSince(text, Date.now());
  if (typeof since === "object") return since;
  context.issues.push({ code: "custom", message: since, input: text });
  return z.NEVER;
});

/** The parsed value, or an error message. */
function readSince(text: string, now: number): Since | string {
  if (text === "now") return { now: true };
  if (idInput.safeParse(text).success) return { event_id: text.toLowerCase() };
  const [, count, unit = ""] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  const seconds = UNIT_SECONDS[unit];
  const at = seconds === undefined ? timeOf(text) : now - Number(count) * seconds * 1000;
  if (at === null) return HELP;
  if (at > now) return "Must not be in the future.";
  return { time: new Date(Math.max(0, at)).toISOString() };
}

function timeOf(text: string): number | null {
  const { data } = timestampInput.safeParse(text);
  return data === undefined ? null : Date.parse(data);
}
