import type { PortalSettings } from "@findersfee/contract/portal/settings";
import {
  listHostsToCheck,
  type PortalHostProofRow,
  type ServedHostRow,
  updatePortalHostProof,
} from "@findersfee/database/portal/hosts";
import { findPortalSettings, lockPortalSettings } from "@findersfee/database/portal/looks";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import type { Actor } from "../actor.ts";
import { type Author, writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import type { HostRecordResult, LookAtHostRecord } from "../host-record.ts";
import { holdSender } from "../identity/rights/sender.ts";
import { proofAfter, type RecordProof } from "../record-proof.ts";
import { inTransaction } from "../transaction.ts";
import { hostErrorOf } from "./host-owner.ts";
import { auditedPortal, type ServiceAddress, viewPortalSettings } from "./settings.ts";

/** A little less than a day, since the job runs hourly. */
const CHECK_MILLISECONDS = 23 * 60 * 60 * 1000;
/** Look-ups at once. */
const BATCH = 20;

const CHECK: Actor = { kind: "automatic", name: "host check" };

/**
 * Looks at the record of the wanted host name now.
 *
 * @throws DomainError `invalid_request` if no name is stored, and if it belongs to another organization
 */
export async function checkPortalHost(
  context: Context,
  { look, ...address }: ServiceAddress & { look: LookAtHostRecord },
): Promise<PortalSettings> {
  const { id } = context.organization;
  // Nobody without the right makes the service ask name servers.
  const before = await transaction(context.database, async (sql) => {
    await holdSender(sql, context);
    return await findPortalSettings(sql, id);
  });
  const host = before?.portal_host_wanted ?? null;
  if (host === null) throw invalidField("host", "Save a host name first.");
  const result = await look(host, id);
  return await inTransaction(context, async (sql) => {
    await recordResult(sql, context, { host, result, now: new Date() });
    const after = await findPortalSettings(sql, id);
    if (after === null) throw notFound("organization");
    return viewPortalSettings(after, address);
  }).catch((error: unknown): never => {
    throw hostErrorOf(error) ?? error;
  });
}

/** Looks at the records of all served names that were not looked at for a day. Returns how many are no longer served. */
export async function checkServedHosts(
  database: Database,
  { look, now, signal }: { look: LookAtHostRecord; now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(now.getTime() - CHECK_MILLISECONDS);
  let ended = 0;
  for (;;) {
    const hosts = await listHostsToCheck(database, { before, limit: BATCH });
    const stopped = await Promise.all(hosts.map((host) => checkServedHost(database, host, { look, now })));
    ended += stopped.filter(Boolean).length;
    if (hosts.length < BATCH || signal?.aborted) return ended;
  }
}

async function checkServedHost(
  database: Database,
  { organization_id, host }: ServedHostRow,
  { look, now }: { look: LookAtHostRecord; now: Date },
): Promise<boolean> {
  const result = await look(host, organization_id);
  const author = { organization: { id: organization_id }, actor: CHECK };
  return await transaction(database, (sql) => recordResult(sql, author, { host, result, now }));
}

/** Stores a result, unless the organization has changed the name meanwhile. Returns whether the name stops being served. */
async function recordResult(
  sql: Connection,
  author: Author,
  { host, result, now }: { host: string; result: HostRecordResult; now: Date },
): Promise<boolean> {
  const { id } = author.organization;
  const before = await lockPortalSettings(sql, id);
  if (before === null || before.portal_host_wanted !== host) return false;
  const proof = columnsOf(proofAfter(proofOf(before), result, now));
  await updatePortalHostProof(sql, id, proof);
  await writeAuditEntry(sql, author, {
    resource: "organization",
    id,
    action: "updated",
    before: auditedPortal(before),
    after: auditedPortal({ ...before, ...proof }),
  });
  return before.portal_host_proven_at !== null && proof.portal_host_proven_at === null;
}

function proofOf(row: PortalHostProofRow): RecordProof {
  return {
    proven_at: row.portal_host_proven_at,
    checked_at: row.portal_host_checked_at,
    failure: row.portal_host_failure,
    failing_since: row.portal_host_failing_since,
  };
}

function columnsOf(proof: RecordProof): Omit<PortalHostProofRow, "portal_host_wanted"> {
  return {
    portal_host_proven_at: proof.proven_at,
    portal_host_checked_at: proof.checked_at,
    portal_host_failure: proof.failure,
    portal_host_failing_since: proof.failing_since,
  };
}
