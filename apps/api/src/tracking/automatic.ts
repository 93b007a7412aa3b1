import type { FastifyRequest } from "fastify";
import { isbot } from "isbot";
import { LRUCache } from "lru-cache";

/** Headers that browsers send with prefetch requests. */
const AHEAD = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/**
 * The maximum length to match; browsers send fewer than 500 characters, and matching the list of bots takes
 * more than linear time.
 */
const MAX_USER_AGENT_LENGTH = 1_024;

/** Whether the request is automatic: from a crawler, a link preview, or a browser's prefetch. */
export function isAutomatic({ method, headers }: FastifyRequest): boolean {
  if (method === "HEAD") return true;
  if (AHEAD.some((name) => /prefetch|preview|prerender/i.test(String(headers[name] ?? "")))) return true;
  const user_agent = headers["user-agent"];
  // Every browser sends a User-Agent.
  if (user_agent === undefined || user_agent === "") return true;
  return user_agent.length > MAX_USER_AGENT_LENGTH || isKnownBot(user_agent);
}

/** Most visitors use one of a few browsers, and the list of bots is long. */
const results = new LRUCache<string, boolean>({ max: 2_000, memoMethod: (user_agent) => isbot(user_agent) });
const MAX_CACHED_LENGTH = 300;

function isKnownBot(user_agent: string): boolean {
  return user_agent.length > MAX_CACHED_LENGTH ? isbot(user_agent) : results.memo(user_agent);
}
