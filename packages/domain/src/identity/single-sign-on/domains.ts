import type { SingleSignOnSettings } from "@findersfee/contract/identity/single-sign-on";
import {
  deleteSignInDomain,
  insertSignInDomain,
  listSignInDomains,
  type SignInDomainRow,
  updateSignInDomain,
} from "@findersfee/database/identity/sign-in-domains";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { Context } from "../../context.ts";
import { invalidField, notFound } from "../../errors.ts";
import type { DomainRecordResult, LookAtDomainRecord } from "./domain-record.ts";
import { change, notFoundProvider } from "./settings.ts";

const MAX_DOMAINS = 50;

interface Place {
  callback_url: string;
  domain: string;
}

/**
 * Adds a domain of addresses. The provider is for it once its record is proven.
 *
 * @throws DomainError `not_found` without a provider; `invalid_request`
 */
export async function addSignInDomain(
  context: Context,
  { callback_url, domain }: Place,
): Promise<SingleSignOnSettings> {
  return await change(context, callback_url, async (sql, { provider, domains }) => {
    if (provider === null) throw notFoundProvider();
    if (domains.length >= MAX_DOMAINS) throw invalidField("domain", `At most ${MAX_DOMAINS} domains.`);
    await insertSignInDomain(sql, provider.organization_id, domain);
  });
}

/**
 * Looks at the record of a domain now. Name servers that do not answer end no proof.
 *
 * @throws DomainError `not_found`; `invalid_request` if another organization has proven it
 */
export async function checkSignInDomain(
  context: Context,
  { look, callback_url, domain }: Place & { look: LookAtDomainRecord },
): Promise<SingleSignOnSettings> {
  const { id } = context.organization;
  const domains = await listSignInDomains(context.database, id);
  if (!domains.some((row) => row.domain === domain)) throw notFoundDomain();
  const result = await look(domain, id);
  return await change(context, callback_url, async (sql, before) => {
    const row = before.domains.find((listed) => listed.domain === domain);
    if (row === undefined) throw notFoundDomain();
    await updateSignInDomain(sql, id, proofAfter(row, result, new Date()));
  }).catch((error: unknown): never => {
    if (violatedUnique(error) !== "sign_in_domains_proven") throw error;
    throw invalidField("domain", "Another organization has proven this domain.");
  });
}

/** @throws DomainError `not_found` */
export async function removeSignInDomain(
  context: Context,
  { callback_url, domain }: Place,
): Promise<SingleSignOnSettings> {
  return await change(context, callback_url, async (sql, { provider, domains }) => {
    if (provider === null || !domains.some((row) => row.domain === domain)) throw notFoundDomain();
    await deleteSignInDomain(sql, provider.organization_id, domain);
  });
}

function notFoundDomain() {
  return notFound("domain");
}

/** How long a domain stays proven after its record is gone. */
const GRACE_MILLISECONDS = 7 * 24 * 60 * 60 * 1000;

/** What a look at the record changes. */
function proofAfter(row: SignInDomainRow, result: DomainRecordResult, now: Date): SignInDomainRow {
  if (result === "proven") {
    return {
      ...row,
      proven_at: row.proven_at ?? now,
      checked_at: now,
      failure: null,
      failing_since: null,
    };
  }
  const failed = { ...row, checked_at: now, failure: result };
  if (row.proven_at === null || result === "unanswered") return failed;
  const failing_since = row.failing_since ?? now;
  const is_over = failing_since.getTime() + GRACE_MILLISECONDS <= now.getTime();
  return { ...failed, failing_since, proven_at: is_over ? null : row.proven_at };
}
