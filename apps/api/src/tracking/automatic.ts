import type { FastifyRequest } from "fastify";
import { isbot } from "isbot";

/** Headers by which browsers say that they fetch ahead what nobody has asked for yet. */
const AHEAD = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** Browsers send fewer than 500 characters. Matching the list of bots takes more than linear time. */
const LONGEST_USER_AGENT = 1_024;

/** Whether no person made this request: a crawler or a link preview, or a browser that fetches ahead. */
export function isAutomatic({ method, headers }: FastifyRequest): boolean {
  if (method === "HEAD") return true;
  if (AHEAD.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? "")))) return true;
  const user_agent = headers["user-agent"];
  // Every browser says what it is.
  if (user_agent === undefined || user_agent === "") return true;
  return user_agent.length > LONGEST_USER_AGENT || isKnownBot(user_agent);
}

const KEPT_BROWSERS = 2_000;
const LONGEST_KEPT = 300;
const browsers = new Map<string, boolean>();

/** Kept, since many visitors come with the same few browsers, and the list of bots is long. */
function isKnownBot(user_agent: string): boolean {
  const kept = browsers.get(user_agent);
  if (kept !== undefined) return kept;
  const is_bot = isbot(user_agent);
  if (user_agent.length > LONGEST_KEPT) return is_bot;
  if (browsers.size >= KEPT_BROWSERS) browsers.clear();
  browsers.set(user_agent, is_bot);
  return is_bot;
}
