import { noInput } from "@findersfee/contract/identity/sign-in";
import { signedInSchema } from "@findersfee/contract/portal/join";
import {
  codeSignInInput,
  linkSignInInput,
  PORTAL_AUTH_PATHS,
  requestCodeInput,
} from "@findersfee/contract/portal/sign-in";
import type { Database } from "@findersfee/database/postgres/connect";
import { signOutOfPortal } from "@findersfee/domain/portal/sessions";
import {
  getLinkAccount,
  requestCode,
  signInWithMailedCode,
  signInWithMailedLink,
} from "@findersfee/domain/portal/sign-in";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { FastifyInstance } from "fastify";
import type { Admission } from "../admission/admission.ts";
import { browserOf } from "../admission/browser.ts";
import { type CookieName, clearCookie, cookieName, readCookie, setCookie } from "../admission/cookies.ts";
import { wideNetworkOf } from "../admission/network.ts";
import { isSentInHeader, limitOf } from "../admission/portal-sessions.ts";
import type { ApiConfig } from "../config.ts";
import { type AttemptLimits, createAttemptLimits } from "../identity/auth/attempt-limits.ts";
import { serveOwnPages } from "../identity/auth/own-pages.ts";
import { servePost } from "../identity/auth/scope.ts";
import { serveEmbedding } from "./embed.ts";
import { serveJoining } from "./join.ts";
import { servePublicPrograms } from "./public.ts";

interface Mounting {
  database: Database;
  secrets_key: SecretsKey;
  admission: Admission;
  config: ApiConfig;
  /** Notifies the workers that an organization has mails to send. */
  notifyOfMails: (organization_id: string) => void;
  /** Notifies workers of events. */
  notifyWorkers: (organization_id: string) => void;
}

/**
 * Serves the paths on which affiliates prove their address. Anyone may call them from the service's own
 * pages.
 */
export function mountPortalAuth(app: FastifyInstance, mounting: Mounting): void {
  const { config, admission } = mounting;
  const is_limited = config.sign_in_limit_per_minute > 0;
  const attempts = createAttemptLimits({ enabled: is_limited });
  const code_cookie = cookieName("findersfee_portal_code", config.public_url);
  servePublicPrograms(app, mounting);
  serveOwnPages(app, { config, admission }, (scope) => {
    serveJoining(scope, { ...mounting, attempts, code_cookie, is_limited });
    serveCodes(scope, mounting, { attempts, code_cookie });
    serveLinks(scope, mounting);
  });
  // Counted apart: a company's affiliates open frames all day behind one address.
  serveOwnPages(app, { config, admission }, (scope) => serveEmbedding(scope, mounting.database));
}

function serveCodes(
  scope: FastifyInstance,
  mounting: Mounting,
  { attempts, code_cookie }: { attempts: AttemptLimits; code_cookie: CookieName },
): void {
  const { database, secrets_key, admission, notifyOfMails } = mounting;
  const { cookie } = admission.portal_sessions;
  servePost(
    scope,
    { path: PORTAL_AUTH_PATHS.request_code, input: requestCodeInput },
    async ({ email }, request, reply) => {
      attempts.countMail(request, reply, email);
      const code_request = { email, limited_to: limitOf(request), network: wideNetworkOf(request) };
      const { token, expires_at, organization_id } = await requestCode(
        { database, secrets_key },
        code_request,
      );
      if (organization_id !== null) notifyOfMails(organization_id);
      setCookie(reply, code_cookie, { value: token, expires_at });
      return {};
    },
  );
  servePost(
    scope,
    { path: PORTAL_AUTH_PATHS.sign_in, input: codeSignInInput },
    async ({ code }, request, reply) => {
      const token = readCookie(request, code_cookie.name) ?? "";
      const entering = enteringOf(mounting);
      const sent = { token, code, limited_to: limitOf(request) };
      const { session, joined } = await signInWithMailedCode(entering, sent, browserOf(request));
      clearCookie(reply, code_cookie);
      setCookie(reply, cookie, { value: session.token, expires_at: session.expires_at });
      return signedInSchema.parse({ joined });
    },
  );
}

/** A new affiliate has events and mails. */
function enteringOf({ database, secrets_key, notifyOfMails, notifyWorkers }: Mounting) {
  return {
    database,
    secrets_key,
    notifyWorkers: (organization_id: string) => {
      notifyWorkers(organization_id);
      notifyOfMails(organization_id);
    },
  };
}

function serveLinks(scope: FastifyInstance, mounting: Mounting): void {
  const { database, admission } = mounting;
  const { cookie, tokenOf } = admission.portal_sessions;
  servePost(
    scope,
    { path: PORTAL_AUTH_PATHS.sign_in_by_link, input: linkSignInInput },
    async ({ token }, request, reply) => {
      const sent = { token, limited_to: limitOf(request) };
      const { session, joined } = await signInWithMailedLink(enteringOf(mounting), sent, browserOf(request));
      setCookie(reply, cookie, { value: session.token, expires_at: session.expires_at });
      return signedInSchema.parse({ joined });
    },
  );
  servePost(scope, { path: PORTAL_AUTH_PATHS.link_account, input: linkSignInInput }, ({ token }, request) =>
    getLinkAccount({ database }, { token, limited_to: limitOf(request) }),
  );
  servePost(scope, { path: PORTAL_AUTH_PATHS.sign_out, input: noInput }, async (_input, request, reply) => {
    const token = tokenOf(request);
    if (token !== null) await signOutOfPortal(database, token);
    // A session in the header is not the cookie's session.
    if (!isSentInHeader(request)) clearCookie(reply, cookie);
    return {};
  });
}
