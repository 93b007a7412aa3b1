import type { SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import { listSignInDomains, type SignInDomainRow } from "@findersfee/database/identity/sign-in-domains";
import { findSignInProvider, type SignInProviderRow } from "@findersfee/database/identity/sign-in-providers";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import { type DomainError, notFound } from "../../errors.ts";
import { hostRecordOf } from "../../host-record.ts";

/** An organization's stored settings for single sign-on. */
export interface Stored {
  provider: SignInProviderRow | null;
  domains: SignInDomainRow[];
}

export async function findStored(sql: Connection, organization_id: string): Promise<Stored> {
  return {
    provider: await findSignInProvider(sql, organization_id),
    domains: await listSignInDomains(sql, organization_id),
  };
}

/** Writes the audit log entry of a change, if anything differs. */
export async function auditChange(
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

export function viewSettings(
  organization_id: string,
  { provider, domains }: Stored,
  callback_url: string,
): SingleSignOnSettings {
  return {
    callback_url,
    provider: provider === null ? null : viewProvider(provider),
    domains: domains.map(({ domain, proven_at, checked_at, failure }) => ({
      domain,
      record: hostRecordOf(domain, organization_id),
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

export function notFoundDomain(): DomainError {
  return notFound("domain");
}
