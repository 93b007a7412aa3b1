import type { SaveSignInProvider, SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import {
  deleteSignInProvider,
  findSignInProvider,
  type SignInProviderRow,
  upsertSignInProvider,
} from "@findersfee/database/identity/sign-in-providers";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { sealSecret } from "../../secrets/secrets.ts";
import { endpointUrlProblem } from "../../webhooks/endpoints/url.ts";
import { holdSender } from "../rights/sender.ts";
import { changeSettings, requireRecentOwner, type Sender } from "./change.ts";
import { endProviderSessions } from "./end-sessions.ts";
import { discover, failureOf, type ProviderCalls } from "./provider.ts";
import { findStored, notFoundProvider, type Stored, viewSettings } from "./stored.ts";

/** The organization's settings for single sign-on. The secret is never shown. */
export async function getSingleSignOn(
  { database, organization }: Context,
  callback_url: string,
): Promise<SingleSignOnSettings> {
  return viewSettings(organization.id, await findStored(database, organization.id), callback_url);
}

/**
 * Connects a provider, or changes its settings, after reading its description. With another issuer or client, its sessions end, and it
 * is required again once somebody has signed in by it.
 *
 * @throws DomainError `sign_in_again`; `invalid_request`, also for a provider that does not answer; `test_data`
 */
export async function saveSignInProvider(
  context: Context,
  { calls, ...sender }: Sender & { calls: ProviderCalls },
  { client_secret, claim_roles, ...input }: SaveSignInProvider,
): Promise<SingleSignOnSettings> {
  const { id: organization_id } = context.organization;
  // Nobody without the right makes the service call a provider. The change checks it again.
  await holdSender(context.database, context);
  await requireRecentOwner(context.database, context, sender);
  const stored = await findSignInProvider(context.database, organization_id);
  const owner = { organization_id, purpose: "sign_in_provider" as const };
  const client_secret_encrypted =
    client_secret === undefined
      ? stored?.client_secret_encrypted
      : sealSecret(calls.secrets_key, owner, client_secret);
  if (client_secret_encrypted === undefined) throw invalidField("client_secret", "Required.");
  const described = {
    ...input,
    organization_id,
    client_secret_encrypted,
    claim_roles: Object.fromEntries(claim_roles.map(({ value, role }) => [value, role])),
    is_required: false,
    used_at: null,
  };
  const issuer = await requireProvider(calls, described);
  const work = async (sql: Connection, { provider: before }: Stored) => {
    const is_same = before?.issuer === issuer && before.client_id === input.client_id;
    // A new secret must prove itself, too, but ends nothing.
    const is_proven = is_same && client_secret === undefined;
    const { is_required, used_at } = before !== null && is_same ? before : described;
    await upsertSignInProvider(
      sql,
      { ...described, issuer, is_required, used_at: is_proven || is_required ? used_at : null },
      new Date(),
    );
    if (before !== null && !is_same) await endProviderSessions(sql, context);
    if (before !== null && client_secret !== undefined) await auditRotation(sql, context);
  };
  return await changeSettings(context, sender, { detail: `saved ${issuer}`, work });
}

async function auditRotation(sql: Connection, author: Author): Promise<void> {
  const { id } = author.organization;
  await writeAuditEntry(sql, author, {
    resource: "single_sign_on",
    id,
    action: "rotated",
    before: {},
    after: {},
  });
}

/** Returns the issuer as the provider writes it, with which its tokens are compared. */
async function requireProvider(calls: ProviderCalls, provider: SignInProviderRow): Promise<string> {
  const problem = endpointUrlProblem(provider.issuer, calls.relaxations);
  if (problem !== null) throw invalidField("issuer", problem);
  try {
    return (await discover(calls, provider)).serverMetadata().issuer;
  } catch (error) {
    const { facts } = failureOf(error, provider.organization_id);
    throw invalidField("issuer", `The provider does not describe itself there: ${facts}`);
  }
}

/**
 * Requires the provider of members with an address of a proven domain, or no longer.
 *
 * @throws DomainError `sign_in_again`; `not_found`; `invalid_request` before a sign-in by it, and without a proven domain
 */
export async function setSingleSignOnRequired(
  context: Context,
  sender: Sender,
  is_required: boolean,
): Promise<SingleSignOnSettings> {
  return await changeSettings(context, sender, {
    detail: is_required ? "required" : "no longer required",
    work: async (sql, { provider, domains }) => {
      if (provider === null) throw notFoundProvider();
      if (is_required && provider.used_at === null) {
        throw invalidField("is_required", "Sign in with it once first, to see that it works.");
      }
      if (is_required && !domains.some(({ proven_at }) => proven_at !== null)) {
        throw invalidField("is_required", "Prove a domain first.");
      }
      await upsertSignInProvider(sql, { ...provider, is_required }, new Date());
    },
  });
}

/**
 * Disconnects the provider. Its domains, and the sessions that it opened, go with it; members stay.
 *
 * @throws DomainError `sign_in_again`; `not_found`
 */
export async function removeSignInProvider(context: Context, sender: Sender): Promise<SingleSignOnSettings> {
  return await changeSettings(context, sender, {
    detail: "disconnected",
    work: async (sql, { provider }) => {
      if (provider === null) throw notFoundProvider();
      await endProviderSessions(sql, context);
      await deleteSignInProvider(sql, provider.organization_id);
    },
  });
}
