import type { createAuthenticator, Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { ApiConfig } from "./config.ts";

const MINUTE_SECONDS = 60;

type Authenticator = ReturnType<typeof createAuthenticator>;

/**
 * The hook in front of every operation: finds out who asks, and counts the call against the key's limit.
 * `callsOf` tells how many calls one request makes, since a tRPC batch makes several.
 */
export function authorizer(
  authenticator: Authenticator,
  limiter: RateLimiterMemory | null,
): (request: FastifyRequest, reply: FastifyReply, calls: number) => Promise<void> {
  return async (request, reply, calls) => {
    request.principal = await authenticator.authenticate(bearerToken(request));
    if (limiter !== null) await count(limiter, { principal: request.principal, reply, calls });
  };
}

export function createLimiter({ rate_limit_per_minute }: ApiConfig): RateLimiterMemory | null {
  if (rate_limit_per_minute === 0) return null;
  return new RateLimiterMemory({ points: rate_limit_per_minute, duration: MINUTE_SECONDS });
}

/** RFC 6750: the scheme's name is case-insensitive. Anything else is no token, which no key equals. */
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
