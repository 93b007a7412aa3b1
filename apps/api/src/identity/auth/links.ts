import { acceptInvitationInput, getInvitationInput } from "@findersfee/contract/identity/invitations";
import { completeSetupInput, setupStatusInput } from "@findersfee/contract/identity/setup";
import {
  AUTH_PATHS,
  confirmDeviceInput,
  forgotPasswordInput,
  mailDeviceLinkInput,
  resetPasswordInput,
} from "@findersfee/contract/identity/sign-in";
import { DomainError } from "@findersfee/domain/errors";
import { confirmDevice, mailDeviceLink } from "@findersfee/domain/identity/accounts/confirm-device";
import { mailPasswordReset, resetPassword } from "@findersfee/domain/identity/accounts/reset-password";
import { acceptInvitation } from "@findersfee/domain/identity/invitations/accept";
import { getInvitation } from "@findersfee/domain/identity/invitations/get";
import { getSetupStatus } from "@findersfee/domain/identity/setup/status";
import { completeSetup } from "@findersfee/domain/organizations/set-up";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deviceOf } from "../../admission/browser.ts";
import { type AuthDependencies, servePost, setDevice, setSession, waitingBrowserOf } from "./scope.ts";

/** Serves the pages behind links: setup, invitation, password reset, device. */
export function serveLinks(scope: FastifyInstance, parts: AuthDependencies): void {
  serveSetup(scope, parts);
  serveInvitations(scope, parts);
  servePasswords(scope, parts);
  serveDevices(scope, parts);
}

function serveSetup(scope: FastifyInstance, parts: AuthDependencies): void {
  const { database } = parts;
  servePost(scope, { path: AUTH_PATHS.setup_status, input: setupStatusInput }, async ({ token }) =>
    getSetupStatus(database, token),
  );
  servePost(
    scope,
    { path: AUTH_PATHS.setup_complete, input: completeSetupInput },
    async (input, request, reply) => {
      const { session, ...completed } = await completeSetup(
        database,
        input,
        waitingBrowserOf(request, reply, parts),
      );
      setSession(reply, parts, session);
      return completed;
    },
  );
}

function serveInvitations(scope: FastifyInstance, parts: AuthDependencies): void {
  const { database, secrets_key } = parts;
  servePost(
    scope,
    { path: AUTH_PATHS.invitation_get, input: getInvitationInput },
    async ({ token }, request, reply) => {
      const user_id = await findUserId(parts, request, reply);
      return getInvitation(database, { token, user_id });
    },
  );
  servePost(
    scope,
    { path: AUTH_PATHS.invitation_accept, input: acceptInvitationInput },
    async (input, request, reply) => {
      const user_id = await findUserId(parts, request, reply);
      const accepting = { database, secrets_key, user_id, browser: waitingBrowserOf(request, reply, parts) };
      const { session, ...accepted } = await acceptInvitation(accepting, input);
      if (session !== null) setSession(reply, parts, session);
      return accepted;
    },
  );
}

function servePasswords(scope: FastifyInstance, parts: AuthDependencies): void {
  const { database, secrets_key, attempts } = parts;
  servePost(
    scope,
    { path: AUTH_PATHS.forgot_password, input: forgotPasswordInput },
    async ({ email }, request, reply) => {
      attempts.countMail(request, reply, email);
      await mailPasswordReset({ database, secrets_key }, email);
      return {};
    },
  );
  servePost(
    scope,
    { path: AUTH_PATHS.reset_password, input: resetPasswordInput },
    async (input, request, reply) => {
      const device = await resetPassword(database, input, waitingBrowserOf(request, reply, parts));
      setDevice(reply, parts, device);
      return {};
    },
  );
}

function serveDevices(scope: FastifyInstance, parts: AuthDependencies): void {
  const { database, secrets_key, attempts, public_url } = parts;
  servePost(
    scope,
    { path: AUTH_PATHS.mail_device_link, input: mailDeviceLinkInput },
    async ({ email }, request, reply) => {
      attempts.countMail(request, reply, email);
      await mailDeviceLink({ database, secrets_key }, email);
      return {};
    },
  );
  servePost(
    scope,
    { path: AUTH_PATHS.confirm_device, input: confirmDeviceInput },
    async ({ token }, request, reply) => {
      setDevice(reply, parts, await confirmDevice(database, token, deviceOf(request, public_url)));
      return {};
    },
  );
}

/** The signed-in user; null without a session, or with one that has ended. */
async function findUserId(
  { sessions }: AuthDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  const token = sessions.tokenOf(request);
  if (token === null) return null;
  try {
    return (await sessions.identifyUser(request, reply, token)).user_id;
  } catch (error) {
    if (error instanceof DomainError && error.code === "session_expired") return null;
    throw error;
  }
}
