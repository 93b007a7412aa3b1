import { joinInput } from "@findersfee/contract/portal/join";
import { PORTAL_JOIN_PATHS } from "@findersfee/contract/portal/join-paths";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "@findersfee/domain/errors";
import { pretendJoining, requestJoining } from "@findersfee/domain/portal/join";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AddressLimiter } from "../admission/address-limiter.ts";
import { type CookieName, setCookie } from "../admission/cookies.ts";
import { wideNetworkOf } from "../admission/network.ts";
import { limitOf } from "../admission/portal-sessions.ts";
import type { AttemptLimits } from "../identity/auth/attempt-limits.ts";
import { servePost } from "../identity/auth/scope.ts";

/** Applications from one network in an hour and process: a class that signs up together, but no list of addresses. */
const OF_NETWORK = 30;
const HOUR_MILLISECONDS = 60 * 60_000;

interface Joining {
  database: Database;
  secrets_key: SecretsKey;
  attempts: AttemptLimits;
  /** The cookie of the browser that may enter the code. */
  code_cookie: CookieName;
  is_limited: boolean;
  notifyOfMails: (organization_id: string) => void;
}

/** Serves the form with which people join a program. */
export function serveJoining(
  scope: FastifyInstance,
  { database, secrets_key, attempts, code_cookie, is_limited, notifyOfMails }: Joining,
): void {
  const countNetwork = is_limited ? networkCounter() : () => {};
  servePost(scope, { path: PORTAL_JOIN_PATHS.join, input: joinInput }, async (join, request, reply) => {
    countNetwork(request, reply);
    attempts.countMail(request, reply, join.email);
    const is_filled = join.website.trim() !== "";
    if (is_filled)
      request.log.info({ request_id: request.id, slug: join.slug }, "refused a join: hidden field filled");
    const { token, expires_at, organization_id } = is_filled
      ? pretendJoining(secrets_key, join.email)
      : await requestJoining({ database, secrets_key }, join, {
          limited_to: limitOf(request),
          network: wideNetworkOf(request),
        });
    if (organization_id !== null) notifyOfMails(organization_id);
    setCookie(reply, code_cookie, { value: token, expires_at });
    return {};
  });
}

function networkCounter(): (request: FastifyRequest, reply: FastifyReply) => void {
  const limiter = new AddressLimiter(OF_NETWORK, HOUR_MILLISECONDS);
  return (request, reply) => {
    if (!limiter.count(wideNetworkOf(request))) return;
    reply.header("retry-after", limiter.reset_seconds);
    throw new DomainError("rate_limited", {
      message: "Too many applications from this network. Try again in an hour.",
    });
  };
}
