import type { PortalSettings } from "@findersfee/contract/portal/settings";
import {
  type HostAnswer,
  type HostUse,
  listHostsToCheck,
  type ServedHostRow,
  updateLinkHostAnswer,
  updateLinkHostProof,
  updatePortalHostAnswer,
  updatePortalHostProof,
} from "@findersfee/database/portal/hosts";
import {
  findPortalSettings,
  lockPortalSettings,
  type PortalSettingsRow,
} from "@findersfee/database/portal/looks";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import type { Actor } from "../actor.ts";
import { type Author, writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import type { HostRecordResult, LookAtHostRecord } from "../host-record.ts";
import { hostUrl } from "../host-url.ts";
import { holdSender } from "../identity/rights/sender.ts";
import { proofAfter } from "../record-proof.ts";
import { inTransaction } from "../transaction.ts";
import type { AskHost } from "./ask-host.ts";
import { HOST_FIELDS, hostErrorOf, wantedHost } from "./host-owner.ts";
import { auditedPortal, type ServiceAddress, viewPortalSettings } from "./settings.ts";

/** A little less than a day, since the job runs hourly. */
const CHECK_MILLISECONDS = 23 * 60 * 60 * 1000;
/** A name at which the service does not answer is asked again each hour. */
const UNREACHABLE_MILLISECONDS = 50 * 60 * 1000;
/** Look-ups at once. */
const BATCH = 20;

const CHECK: Actor = { kind: "automatic", name: "host check" };

/** How host names are checked. */
export interface HostChecks {
  look: LookAtHostRecord;
  /** Asks whether the service answers at a host name. */
  ask: AskHost;
  /** Null: the operator has set none. */
  public_url: string | null;
}

/**
 * Looks at the record of the wanted host name now, and asks whether the service answers there once it serves links at it. At a host
 * name of the portal it asks only if it has stopped answering: otherwise, the job does.
 *
 * @throws DomainError `invalid_request` if no name is stored, and if it belongs to another organization
 */
export async function checkHost(
  context: Context,
  { use, ...checks }: ServiceAddress & HostChecks & { use: HostUse },
): Promise<PortalSettings> {
  const { id } = context.organization;
  // Nobody without the right makes the service ask name servers.
  const before = await transaction(context.database, async (sql) => {
    await holdSender(sql, context);
    return await findPortalSettings(sql, id);
  });
  const { host, unreachable_since } =
    before === null ? { host: null, unreachable_since: null } : wantedHost(before, use);
  if (host === null) throw invalidField(HOST_FIELDS[use], "Save a custom domain first.");
  const checked = { use, host, result: await checks.look(host, id), now: new Date() };
  await inTransaction(context, (sql) => recordResult(sql, context, checked)).catch(
    (error: unknown): never => {
      throw hostErrorOf(error, use) ?? error;
    },
  );
  const is_asked = use === "link" || unreachable_since !== null;
  const answer = is_asked ? await askServed(checks, { organization_id: id, ...checked }) : null;
  return await inTransaction(context, async (sql) => {
    if (is_asked) await recordAnswer(sql, context, { ...checked, answer });
    const after = await findPortalSettings(sql, id);
    if (after === null) throw notFound("organization");
    return viewPortalSettings(after, checks);
  });
}

/**
 * Looks at the records of all served names that were not looked at for a day, and asks whether the service answers there. Returns how
 * many are no longer served.
 */
export async function checkServedHosts(
  database: Database,
  { now, signal, ...checks }: HostChecks & { now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(now.getTime() - CHECK_MILLISECONDS);
  const unreachable_before = new Date(now.getTime() - UNREACHABLE_MILLISECONDS);
  let ended = 0;
  for (;;) {
    const hosts = await listHostsToCheck(database, { before, unreachable_before, limit: BATCH });
    const stopped = await Promise.all(
      hosts.map((host) => checkServedHost(database, host, { ...checks, now })),
    );
    ended += stopped.filter(Boolean).length;
    if (hosts.length < BATCH || signal?.aborted) return ended;
  }
}

async function checkServedHost(
  database: Database,
  served: ServedHostRow,
  { now, ...checks }: HostChecks & { now: Date },
): Promise<boolean> {
  const { organization_id, use, host } = served;
  const result = await checks.look(host, organization_id);
  const answer = await askServed(checks, { ...served, result });
  const author = { organization: { id: organization_id }, actor: CHECK };
  return await transaction(database, async (sql) => {
    const is_ended = await recordResult(sql, author, { use, host, result, now });
    if (!is_ended) await recordAnswer(sql, author, { use, host, now, answer });
    return is_ended;
  });
}

/** The answer of the service at a host name. */
interface Answer {
  url: string;
  is_there: boolean;
}

/** Asks at a proven host name, which is served already. Null: nothing was asked. */
async function askServed(
  { ask, public_url }: HostChecks,
  { use, organization_id, host, result }: ServedHostRow & { result: HostRecordResult },
): Promise<Answer | null> {
  if (result !== "proven" || public_url === null) return null;
  const url = hostUrl(public_url, host);
  return { url, is_there: await ask(url, organization_id, use) };
}

interface Checked {
  use: HostUse;
  host: string;
  result: HostRecordResult;
  now: Date;
}

/**
 * Stores a result, unless the organization has changed the name during the check. Returns whether the name
 * stops being served.
 */
async function recordResult(
  sql: Connection,
  author: Author,
  { use, host, result, now }: Checked,
): Promise<boolean> {
  const { id } = author.organization;
  const before = await lockPortalSettings(sql, id);
  if (before === null) return false;
  const wanted = wantedHost(before, use);
  if (wanted.host !== host) return false;
  const proof = proofAfter(wanted, result, now);
  const link_url = proof.proven_at === null ? null : before.link_url;
  if (use === "portal") await updatePortalHostProof(sql, id, proof);
  else await updateLinkHostProof(sql, id, { ...proof, link_url });
  await auditChange(sql, author, before);
  return wanted.proven_at !== null && proof.proven_at === null;
}

/** Stores whether the service answers, unless the organization has changed the name during the check. */
async function recordAnswer(
  sql: Connection,
  author: Author,
  { use, host, now, answer }: { use: HostUse; host: string; now: Date; answer: Answer | null },
): Promise<void> {
  const { id } = author.organization;
  const before = await lockPortalSettings(sql, id);
  const wanted = before === null ? null : wantedHost(before, use);
  if (before === null || wanted?.host !== host || wanted.proven_at === null) return;
  const after = answer === null ? wanted : answerAfter(wanted, answer.is_there, now);
  if (use === "portal") await updatePortalHostAnswer(sql, id, after);
  else await updateLinkHostAnswer(sql, id, { ...after, link_url: answer?.is_there ? answer.url : null });
  await auditChange(sql, author, before);
}

/** A name at which the service never answered is being set up, and has not stopped. */
function answerAfter(
  { answered_at, unreachable_since }: HostAnswer,
  is_there: boolean,
  now: Date,
): HostAnswer {
  if (is_there) return { answered_at: now, unreachable_since: null };
  return { answered_at, unreachable_since: answered_at === null ? null : (unreachable_since ?? now) };
}

async function auditChange(sql: Connection, author: Author, before: PortalSettingsRow): Promise<void> {
  const { id } = author.organization;
  const after = await findPortalSettings(sql, id);
  if (after === null) return;
  await writeAuditEntry(sql, author, {
    resource: "organization",
    id,
    action: "updated",
    before: auditedPortal(before),
    after: auditedPortal(after),
  });
}
