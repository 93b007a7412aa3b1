import type { Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { ApiConfig } from "../config.ts";
import type { Identify } from "./identify.ts";
import type { RequestSlots } from "./request-slots.ts";

const MINUTE_SECONDS = 60;

export interface Authorization {
  identify: Identify;
  /** Null for no limit per minute. */
  limiter: RateLimiterMemory | null;
  slots: RequestSlots;
}

/**
 * The hook in front of every operation. `calls` is the number of calls in a request: a tRPC batch has
 * several.
 */
export type Authorize = (request: FastifyRequest, reply: FastifyReply, calls: number) => Promise<void>;

/**
 * Creates the hook that identifies the principal, counts the calls against the key's limit per minute, and
 * takes slots for them until the response has been sent.
 */
export function authorizer({ identify, limiter, slots }: Authorization): Authorize {
  return async (request, reply, calls) => {
    const found = identify(request, reply, bearerToken(request));
    const principal = found instanceof Promise ? await found : found;
    request.principal = principal;
    if (limiter !== null) await count(limiter, { principal, reply, calls });
    slots.take(reply, calls);
    slots.hold(reply, "key", principal.key_id);
    slots.hold(reply, "organization", principal.organization.id);
  };
}

export function createLimiter({ rate_limit_per_minute }: ApiConfig): RateLimiterMemory | null {
  if (rate_limit_per_minute === 0) return null;
  return new RateLimiterMemory({ points: rate_limit_per_minute, duration: MINUTE_SECONDS });
}

/** RFC 6750: the scheme's name is case-insensitive. Anything else has no token, which matches no key. */
function bearerToken({ headers }: FastifyRequest): string {
  return /^bearer +([^\s]+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

async function count(
  limiter: RateLimiterMemory,
  { principal, reply, calls }: { principal: Principal; reply: FastifyReply; calls: number },
): Promise<void> {
  const state = await limiter
    .consume(principal.key_id, calls)
    .catch((refused: RateLimiterRes | Error) => refused);
  if (state instanceof Error) throw state;
  const reset_seconds = Math.ceil(state.msBeforeNext / 1000);
  reply.header("ratelimit-limit", limiter.points);
  reply.header("ratelimit-remaining", Math.max(0, state.remainingPoints));
  reply.header("ratelimit-reset", reset_seconds);
  if (state.consumedPoints > limiter.points) {
    reply.header("retry-after", reset_seconds);
    throw new DomainError("rate_limited");
  }
}
