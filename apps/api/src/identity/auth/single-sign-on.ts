import {
  AUTH_PATHS,
  type SingleSignOnStarted,
  singleSignOnInput,
} from "@findersfee/contract/identity/sign-in";
import { SingleSignOnError } from "@findersfee/domain/identity/single-sign-on/failure";
import { finishSingleSignOn } from "@findersfee/domain/identity/single-sign-on/finish";
import type { ProviderCalls } from "@findersfee/domain/identity/single-sign-on/provider";
import { startSingleSignOn } from "@findersfee/domain/identity/single-sign-on/start";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { deviceOf } from "../../admission/browser.ts";
import { clearCookie, cookieName, readCookie, setCookie } from "../../admission/cookies.ts";
import { dashboardUrl } from "../../dashboard-url.ts";
import { callbackUrl } from "../callback-url.ts";
import { type AuthDependencies, servePost, sessionCookie } from "./scope.ts";

type Dependencies = AuthDependencies & { provider_calls: ProviderCalls };

const COOKIE = "findersfee_single_sign_on";

/** Serves sign-in at an organization's provider: its start, and the address to which the provider sends the browser back. */
export function serveSingleSignOn(scope: FastifyInstance, parts: Dependencies): void {
  const { database, public_url, provider_calls, attempts } = parts;
  const cookie = cookieName(COOKIE, public_url);
  servePost(
    scope,
    { path: AUTH_PATHS.single_sign_on, input: singleSignOnInput },
    async ({ email, to }, request, reply) => {
      attempts.countSignIn(request, reply, email);
      const base = dashboardUrl(request, public_url);
      const input = { email, to: ownAddress(base, to), redirect_uri: callbackUrl(base) };
      const started = await startSingleSignOn(database, provider_calls, input).catch(logged(request));
      setCookie(reply, cookie, started.cookie);
      return { url: started.url } satisfies SingleSignOnStarted;
    },
  );
  scope.get(`${AUTH_PATHS.single_sign_on}/callback`, async (request, reply) => {
    const base = dashboardUrl(request, public_url);
    const url = new URL(callbackUrl(base));
    url.search = new URL(request.url, base).search;
    const callback = { url, cookie: readCookie(request, cookie.name) };
    // The browser has one sign-in at a time: a failed one starts again.
    clearCookie(reply, cookie);
    try {
      const browser = deviceOf(request, public_url);
      const { session, to } = await finishSingleSignOn(database, provider_calls, { callback, browser }).catch(
        logged(request),
      );
      setCookie(reply, sessionCookie(public_url), { value: session.token, expires_at: session.expires_at });
      return reply.redirect(`${base}${to}`, 303);
    } catch (error) {
      if (!(error instanceof SingleSignOnError)) throw error;
      const { reason, to } = error;
      const query = new URLSearchParams({ failure: reason, request: request.id, ...(to !== null && { to }) });
      return reply.redirect(`${base}/sign-in?${query}`, 303);
    }
  });
}

/**
 * An address within the dashboard; the start page in place of any other. The provider's answer cannot change
 * it.
 */
function ownAddress(base: string, to: string): string {
  if (!to.startsWith("/") || !URL.canParse(`${base}${to}`)) return "/";
  const { href, origin } = new URL(`${base}${to}`);
  return origin === new URL(base).origin && href.startsWith(`${base}/`) ? href.slice(base.length) : "/";
}

/** Logs why a sign-in failed, for the operator. */
function logged(request: FastifyRequest): (error: unknown) => never {
  return (error) => {
    if (error instanceof SingleSignOnError && error.reason !== "no_provider") {
      const { organization_id, reason, facts } = error;
      request.log.warn({ request_id: request.id, organization_id, reason, facts }, "single sign-on failed");
    }
    throw error;
  };
}
