import { DomainError } from "@findersfee/domain/errors";
import type { UserSession } from "@findersfee/domain/identity/accounts/authenticate";
import type { PortalSession } from "@findersfee/domain/portal/authenticate";
import type { ApiKeyPrincipal, Principal } from "@findersfee/domain/principal";
import type { FastifyReply, FastifyRequest } from "fastify";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";
import type { ApiConfig } from "../config.ts";
import type { Identify } from "./identify.ts";
import type { PortalSessions } from "./portal-sessions.ts";
import type { RequestSlots } from "./request-slots.ts";
import type { Sessions } from "./sessions.ts";

const MINUTE_SECONDS = 60;

/** The limits of a surface's operations. */
export interface OperationLimits {
  /** Null for no limit per minute. */
  limiter: RateLimiterMemory | null;
  slots: RequestSlots;
}

export interface Authorization extends OperationLimits {
  identify: Identify<ApiKeyPrincipal>;
  /** Null: the surface is for API keys only, and ignores cookies. */
  sessions: Sessions | null;
}

/**
 * The hook in front of every operation. `calls` is the number of calls in a request: a tRPC batch has
 * several.
 */
export type Authorize = (request: FastifyRequest, reply: FastifyReply, calls: number) => Promise<void>;

/**
 * Creates the hook that identifies the principal, counts the calls against the limit per minute of its key
 * or user, and takes slots for them until the response has been sent.
 */
export function authorizer({ identify, sessions, limiter, slots }: Authorization): Authorize {
  return async (request, reply, calls) => {
    const token = sessions === null || hasKey(request) ? null : sessions.tokenOf(request);
    const found =
      token === null || sessions === null
        ? identify(request, reply, bearerToken(request))
        : sessions.identifyStaff(request, reply, token);
    const principal: Principal = found instanceof Promise ? await found : found;
    request.principal = principal;
    const holder = holderOf(principal);
    if (limiter !== null) await count(limiter, { holder, reply, calls });
    slots.take(reply, calls);
    slots.hold(reply, holder.kind, holder.id);
    slots.hold(reply, "organization", principal.organization.id);
  };
}

/** The same for people's operations that concern no organization: only a session's cookie identifies the user. */
export function userAuthorizer({ sessions, ...limits }: OperationLimits & { sessions: Sessions }): Authorize {
  const { tokenOf, identifyUser: identify } = sessions;
  return cookieAuthorizer<UserSession>({
    tokenOf,
    identify,
    admit: (request, session) => {
      request.user_session = session;
      return session.user_id;
    },
    ...limits,
  });
}

/** The same for affiliates. Their calls count by the address that they proved. */
export function portalAuthorizer({
  sessions,
  ...limits
}: OperationLimits & { sessions: PortalSessions }): Authorize {
  const { tokenOf, identify } = sessions;
  return cookieAuthorizer<PortalSession>({
    tokenOf,
    identify,
    admit: (request, session) => {
      request.portal_session = session;
      return session.email;
    },
    ...limits,
  });
}

interface CookieAuthorization<Session> extends OperationLimits {
  tokenOf(request: FastifyRequest): string | null;
  identify: Identify<Session>;
  /** Stores the session in the request; returns the person to count its calls to. */
  admit(request: FastifyRequest, session: Session): string;
}

function cookieAuthorizer<Session>({
  tokenOf,
  identify,
  admit,
  limiter,
  slots,
}: CookieAuthorization<Session>): Authorize {
  return async (request, reply, calls) => {
    const token = tokenOf(request);
    if (token === null) throw new DomainError("unauthorized", { message: "Sign in first." });
    const found = identify(request, reply, token);
    const id = admit(request, found instanceof Promise ? await found : found);
    if (limiter !== null) await count(limiter, { holder: { kind: "user", id }, reply, calls });
    slots.take(reply, calls);
    slots.hold(reply, "user", id);
  };
}

export function createLimiter({ rate_limit_per_minute }: ApiConfig): RateLimiterMemory | null {
  if (rate_limit_per_minute === 0) return null;
  return new RateLimiterMemory({ points: rate_limit_per_minute, duration: MINUTE_SECONDS });
}

/** A request with an API key comes from a program, even if it has cookies. */
function hasKey({ headers }: FastifyRequest): boolean {
  return headers.authorization !== undefined;
}

/** RFC 6750: the scheme's name is case-insensitive. Anything else has no token, which matches no key. */
function bearerToken({ headers }: FastifyRequest): string {
  return /^bearer +([^\s]+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

/** The key, or the user or affiliate, to which the rate limit counts a call. */
interface Holder {
  kind: "key" | "user";
  id: string;
}

function holderOf(principal: Principal): Holder {
  return principal.kind === "api_key"
    ? { kind: "key", id: principal.key_id }
    : { kind: "user", id: principal.user_id };
}

async function count(
  limiter: RateLimiterMemory,
  { holder, reply, calls }: { holder: Holder; reply: FastifyReply; calls: number },
): Promise<void> {
  const state = await limiter.consume(holder.id, calls).catch((refused: RateLimiterRes | Error) => refused);
  if (state instanceof Error) throw state;
  const reset_seconds = Math.ceil(state.msBeforeNext / 1000);
  reply.header("ratelimit-limit", limiter.points);
  reply.header("ratelimit-remaining", Math.max(0, state.remainingPoints));
  reply.header("ratelimit-reset", reset_seconds);
  if (state.consumedPoints > limiter.points) {
    reply.header("retry-after", reset_seconds);
    throw rateLimited(holder);
  }
}

function rateLimited({ kind }: Holder): DomainError {
  if (kind === "key") return new DomainError("rate_limited", { limit: "requests_of_key" });
  return new DomainError("rate_limited", {
    limit: "requests_of_person",
    message: "You sent too many requests. Try again in a minute.",
  });
}
