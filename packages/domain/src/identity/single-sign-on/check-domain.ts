import type { SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import {
  listDomainsToCheck,
  listSignInDomains,
  type ProvenDomainRow,
  updateSignInDomain,
} from "@findersfee/database/identity/sign-in-domains";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { Actor } from "../../actor.ts";
import type { Author } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import type { HostRecordResult, LookAtHostRecord } from "../../host-record.ts";
import { proofAfter } from "../../record-proof.ts";
import { inTransaction } from "../../transaction.ts";
import { holdSender } from "../rights/sender.ts";
import { auditChange, findStored, notFoundDomain, viewSettings } from "./stored.ts";

/** A little less than a day, since the job runs hourly. */
const CHECK_MILLISECONDS = 23 * 60 * 60 * 1000;
/** Look-ups at once. */
const BATCH = 20;

const CHECK: Actor = { kind: "automatic", name: "host check" };

/**
 * Looks at the record of a domain now.
 *
 * @throws DomainError `not_found`; `invalid_request` if another organization has proven it
 */
export async function checkSignInDomain(
  context: Context,
  { look, callback_url, domain }: { look: LookAtHostRecord; callback_url: string; domain: string },
): Promise<SingleSignOnSettings> {
  const { id } = context.organization;
  // Nobody without the right makes the service ask name servers.
  const domains = await transaction(context.database, async (sql) => {
    await holdSender(sql, context);
    return await listSignInDomains(sql, id);
  });
  if (!domains.some((row) => row.domain === domain)) throw notFoundDomain();
  const result = await look(domain, id);
  return await inTransaction(context, async (sql) => {
    await recordResult(sql, context, { domain, result, now: new Date() });
    return viewSettings(id, await findStored(sql, id), callback_url);
  }).catch((error: unknown): never => {
    if (violatedUnique(error) !== "sign_in_domains_proven") throw error;
    throw invalidField("domain", "Another organization has proven this domain.");
  });
}

/** Looks at the records of all proven domains that were not looked at for a day. Returns how many are no longer proven. */
export async function checkProvenDomains(
  database: Database,
  { look, now, signal }: { look: LookAtHostRecord; now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(now.getTime() - CHECK_MILLISECONDS);
  let ended = 0;
  for (;;) {
    const domains = await listDomainsToCheck(database, { before, limit: BATCH });
    const stopped = await Promise.all(domains.map((row) => checkProvenDomain(database, row, { look, now })));
    ended += stopped.filter(Boolean).length;
    if (domains.length < BATCH || signal?.aborted) return ended;
  }
}

async function checkProvenDomain(
  database: Database,
  { organization_id, domain }: ProvenDomainRow,
  { look, now }: { look: LookAtHostRecord; now: Date },
): Promise<boolean> {
  const result = await look(domain, organization_id);
  const author = { organization: { id: organization_id }, actor: CHECK };
  return await transaction(database, (sql) => recordResult(sql, author, { domain, result, now }));
}

/**
 * Stores a result, unless the organization has removed the domain during the check. Returns whether its proof
 * ends.
 */
async function recordResult(
  sql: Connection,
  author: Author,
  { domain, result, now }: { domain: string; result: HostRecordResult; now: Date },
): Promise<boolean> {
  const { id } = author.organization;
  await lockOrganization(sql, id);
  const before = await findStored(sql, id);
  const row = before.domains.find((listed) => listed.domain === domain);
  if (row === undefined) return false;
  const proof = proofAfter(row, result, now);
  await updateSignInDomain(sql, id, { ...row, ...proof });
  await auditChange(sql, author, { before, after: await findStored(sql, id) });
  return row.proven_at !== null && proof.proven_at === null;
}
