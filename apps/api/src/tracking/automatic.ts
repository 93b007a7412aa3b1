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

/** Why a request is automatic: a browser fetched ahead of a visit, or a crawler or a link preview sent it; null: it is not. */
export function automationOf({ method, headers }: FastifyRequest): "prefetch" | "bot" | null {
  if (method === "HEAD") return "prefetch";
  if (AHEAD.some((name) => isAhead(headers[name]))) return "prefetch";
  const user_agent = headers["user-agent"];
  // Every browser sends a User-Agent.
  if (user_agent === undefined || user_agent === "") return "bot";
  return user_agent.length > MAX_USER_AGENT_LENGTH || isKnownBot(user_agent) ? "bot" : null;
}

function isAhead(value: string | string[] | undefined): boolean {
  return value !== undefined && /prefetch|preview|prerender/i.test(String(value));
}

/** Most visitors use one of a few browsers, and the list of bots is long. */
const results = new LRUCache<string, boolean>({ max: 2_000, memoMethod: (user_agent) => isbot(user_agent) });
const MAX_CACHED_LENGTH = 300;

function isKnownBot(user_agent: string): boolean {
  return user_agent.length > MAX_CACHED_LENGTH ? isbot(user_agent) : results.memo(user_agent);
}
