import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "@findersfee/domain/errors";
import type { WaitingBrowser } from "@findersfee/domain/identity/accounts/browser";
import type { DeviceCookie } from "@findersfee/domain/identity/accounts/devices";
import type { SignedInBrowser } from "@findersfee/domain/identity/accounts/open-session";
import { sessionCookieName } from "@findersfee/domain/identity/accounts/session-cookie";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { deviceCookie, deviceOf } from "../../admission/browser.ts";
import { type CookieName, setCookie } from "../../admission/cookies.ts";
import { wideNetworkOf } from "../../admission/network.ts";
import type { Sessions } from "../../admission/sessions.ts";
import { issuesOf } from "../../issues.ts";
import type { AttemptLimits } from "./attempt-limits.ts";

/** Shared by the routes below `/auth`. */
export interface AuthDependencies {
  database: Database;
  secrets_key: SecretsKey;
  public_url: string | null;
  sessions: Sessions;
  attempts: AttemptLimits;
}

/** A credential has a few KB; the rest of the bodies are smaller. */
const BODY_BYTES = 64 * 1024;

/** Serves a route: its body is parsed by the schema, and the result is in the envelope of REST. */
export function servePost<Input>(
  scope: FastifyInstance,
  { path, input }: { path: string; input: z.ZodType<Input> },
  handle: (input: Input, request: FastifyRequest, reply: FastifyReply) => Promise<object>,
): void {
  scope.post(path, { bodyLimit: BODY_BYTES }, async (request, reply) => {
    const parsed = input.safeParse(request.body ?? {});
    if (!parsed.success) throw new DomainError("invalid_request", { issues: issuesOf(parsed.error) });
    return { success: true, data: await handle(parsed.data, request, reply) };
  });
}

/** The browser of a request while it waits for the answer. */
export function waitingBrowserOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { public_url }: Pick<AuthDependencies, "public_url">,
): WaitingBrowser {
  const isWaiting = () => !reply.sent && !reply.raw.destroyed;
  return { ...deviceOf(request, public_url), share: wideNetworkOf(request), isWaiting };
}

export function sessionCookie(public_url: string | null): CookieName {
  return { name: sessionCookieName(public_url), secure: public_url?.startsWith("https:") === true };
}

export function setSession(
  reply: FastifyReply,
  parts: Pick<AuthDependencies, "public_url">,
  { token, expires_at, device }: SignedInBrowser,
): void {
  setCookie(reply, sessionCookie(parts.public_url), { value: token, expires_at });
  setDevice(reply, parts, device);
}

export function setDevice(
  reply: FastifyReply,
  { public_url }: Pick<AuthDependencies, "public_url">,
  { token, expires_at }: DeviceCookie,
): void {
  setCookie(reply, deviceCookie(public_url), { value: token, expires_at });
}
