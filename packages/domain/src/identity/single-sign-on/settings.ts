import type { SaveSignInProvider, SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import { listSignInDomains, type SignInDomainRow } from "@findersfee/database/identity/sign-in-domains";
import {
  deleteProviderSessions,
  deleteSignInProvider,
  findSignInProvider,
  type SignInProviderRow,
  upsertSignInProvider,
} from "@findersfee/database/identity/sign-in-providers";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { type DomainError, invalidField, notFound } from "../../errors.ts";
import { sealSecret } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { endpointUrlProblem } from "../../webhooks/endpoints/url.ts";
import { domainRecordOf } from "./domain-record.ts";
import { discover, failureOf, type ProviderCalls } from "./provider.ts";

/** What an organization's settings for single sign-on consist of. */
interface Stored {
  provider: SignInProviderRow | null;
  domains: SignInDomainRow[];
}

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
 * @throws DomainError `invalid_request`, also for a provider that does not answer; `test_data`
 */
export async function saveSignInProvider(
  context: Context,
  { calls, callback_url }: { calls: ProviderCalls; callback_url: string },
  { client_secret, claim_roles, ...input }: SaveSignInProvider,
): Promise<SingleSignOnSettings> {
  const { id: organization_id } = context.organization;
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
  return await change(context, callback_url, async (sql, { provider: before }) => {
    const is_same = before?.issuer === issuer && before.client_id === input.client_id;
    // A new secret must prove itself, too, but ends nothing.
    const is_proven = is_same && client_secret === undefined;
    const { is_required, used_at } = before !== null && is_same ? before : described;
    await upsertSignInProvider(
      sql,
      { ...described, issuer, is_required, used_at: is_proven || is_required ? used_at : null },
      new Date(),
    );
    if (before !== null && !is_same) await deleteProviderSessions(sql, organization_id);
    if (before !== null && client_secret !== undefined) await auditRotation(sql, context);
  });
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
 * @throws DomainError `not_found`; `invalid_request` before a sign-in by it, and without a proven domain
 */
export async function setSingleSignOnRequired(
  context: Context,
  callback_url: string,
  is_required: boolean,
): Promise<SingleSignOnSettings> {
  return await change(context, callback_url, async (sql, { provider, domains }) => {
    if (provider === null) throw notFoundProvider();
    if (is_required && provider.used_at === null) {
      throw invalidField("is_required", "Sign in with it once first, to see that it works.");
    }
    if (is_required && !domains.some(({ proven_at }) => proven_at !== null)) {
      throw invalidField("is_required", "Prove a domain first.");
    }
    await upsertSignInProvider(sql, { ...provider, is_required }, new Date());
  });
}

/** Disconnects the provider. Its domains, and the sessions that it opened, go with it; members stay. */
export async function removeSignInProvider(
  context: Context,
  callback_url: string,
): Promise<SingleSignOnSettings> {
  return await change(context, callback_url, async (sql, { provider }) => {
    if (provider === null) throw notFoundProvider();
    await deleteProviderSessions(sql, provider.organization_id);
    await deleteSignInProvider(sql, provider.organization_id);
  });
}

/** Runs a change of the settings in a transaction, with its audit log entry. */
export async function change(
  context: Context,
  callback_url: string,
  work: (sql: Connection, before: Stored) => Promise<void>,
): Promise<SingleSignOnSettings> {
  const { id } = context.organization;
  return await inTransaction(context, async (sql) => {
    await lockOrganization(sql, id);
    const before = await findStored(sql, id);
    await work(sql, before);
    const after = await findStored(sql, id);
    await auditChange(sql, context, { before, after });
    return viewSettings(id, after, callback_url);
  });
}

async function auditChange(
  sql: Connection,
  author: Author,
  { before, after }: { before: Stored; after: Stored },
): Promise<void> {
  const { id } = author.organization;
  const fields = { before: auditedFields(before), after: auditedFields(after) };
  const named = fields.before === null ? "created" : fields.after === null ? "deleted" : "updated";
  if (fields.before === null && fields.after === null) return;
  await writeAuditEntry(sql, author, { resource: "single_sign_on", id, action: named, ...fields });
}

function auditedFields({ provider, domains }: Stored): AuditedFields | null {
  if (provider === null) return null;
  const { issuer, client_id, role_claim, claim_roles, default_role, is_required, session_hours } = provider;
  const proven = domains.filter(({ proven_at }) => proven_at !== null);
  return {
    ...{ issuer, client_id, role_claim, claim_roles, default_role, is_required, session_hours },
    domains: proven.map(({ domain }) => domain),
  };
}

async function findStored(sql: Connection, organization_id: string): Promise<Stored> {
  return {
    provider: await findSignInProvider(sql, organization_id),
    domains: await listSignInDomains(sql, organization_id),
  };
}

function viewSettings(
  organization_id: string,
  { provider, domains }: Stored,
  callback_url: string,
): SingleSignOnSettings {
  return {
    callback_url,
    provider: provider === null ? null : viewProvider(provider),
    domains: domains.map(({ domain, proven_at, checked_at, failure }) => ({
      domain,
      record: domainRecordOf(domain, organization_id),
      proven_at: proven_at?.toISOString() ?? null,
      checked_at: checked_at?.toISOString() ?? null,
      failure,
    })),
  };
}

function viewProvider({
  issuer,
  client_id,
  role_claim,
  claim_roles,
  default_role,
  is_required,
  session_hours,
  used_at,
}: SignInProviderRow): NonNullable<SingleSignOnSettings["provider"]> {
  return {
    ...{ issuer, client_id, role_claim, default_role, is_required, session_hours },
    claim_roles: Object.entries(claim_roles).map(([value, role]) => ({ value, role })),
    used_at: used_at?.toISOString() ?? null,
  };
}

export function notFoundProvider(): DomainError {
  return notFound("provider for single sign-on");
}
