import {
  AUTH_PATHS,
  noInput,
  passkeySignInInput,
  type SignedIn,
  secondFactorInput,
  signInInput,
} from "@findersfee/contract/identity/sign-in";
import { signIn } from "@findersfee/domain/identity/accounts/sign-in";
import { signOut } from "@findersfee/domain/identity/accounts/sign-out";
import { relyingPartyOf } from "@findersfee/domain/identity/passkeys/relying-party";
import { passkeySignInOptions, signInWithPasskey } from "@findersfee/domain/identity/passkeys/sign-in";
import { signInWithCode } from "@findersfee/domain/identity/second-factor/sign-in";
import type { FastifyInstance } from "fastify";
import { deviceOf } from "../../admission/browser.ts";
import { clearCookie, cookieName, readCookie, setCookie } from "../../admission/cookies.ts";
import { dashboardUrl } from "../../dashboard-url.ts";
import { type AuthDependencies, servePost, sessionCookie, setSession, waitingBrowserOf } from "./scope.ts";

const DONE: SignedIn = { next: "done" };

/** Serves sign-in with a password, a second factor or a passkey, and sign-out. */
export function serveSignIn(scope: FastifyInstance, parts: AuthDependencies): void {
  servePasswordSignIn(scope, parts);
  servePasskeySignIn(scope, parts);
  const { database, public_url, sessions } = parts;
  servePost(scope, { path: AUTH_PATHS.sign_out, input: noInput }, async (_input, request, reply) => {
    const token = sessions.tokenOf(request);
    if (token !== null) await signOut(database, token);
    clearCookie(reply, sessionCookie(public_url));
    return {};
  });
}

function servePasswordSignIn(scope: FastifyInstance, parts: AuthDependencies): void {
  const { database, secrets_key, public_url, attempts } = parts;
  const second_factor_cookie = cookieName("findersfee_second_factor", public_url);
  servePost(scope, { path: AUTH_PATHS.sign_in, input: signInInput }, async (input, request, reply) => {
    attempts.countSignIn(request, reply, input.email);
    const result = await signIn({ database, secrets_key }, input, waitingBrowserOf(request, reply, parts));
    if (result.next === "done") {
      setSession(reply, parts, result.session);
      return DONE;
    }
    setCookie(reply, second_factor_cookie, { value: result.token, expires_at: result.expires_at });
    return { next: "second_factor" } satisfies SignedIn;
  });
  servePost(
    scope,
    { path: AUTH_PATHS.second_factor, input: secondFactorInput },
    async ({ code }, request, reply) => {
      const token = readCookie(request, second_factor_cookie.name) ?? "";
      const session = await signInWithCode(
        { database, secrets_key },
        { token, code },
        deviceOf(request, public_url),
      );
      clearCookie(reply, second_factor_cookie);
      setSession(reply, parts, session);
      return DONE;
    },
  );
}

function servePasskeySignIn(scope: FastifyInstance, parts: AuthDependencies): void {
  const { database, secrets_key, public_url } = parts;
  servePost(scope, { path: AUTH_PATHS.passkey_options, input: noInput }, async (_input, request) =>
    passkeySignInOptions(secrets_key, relyingPartyOf(dashboardUrl(request, public_url))),
  );
  servePost(
    scope,
    { path: AUTH_PATHS.passkey, input: passkeySignInInput },
    async ({ credential }, request, reply) => {
      const party = relyingPartyOf(dashboardUrl(request, public_url));
      const signing_in = { database, secrets_key, party };
      setSession(
        reply,
        parts,
        await signInWithPasskey(signing_in, credential, deviceOf(request, public_url)),
      );
      return DONE;
    },
  );
}
