import { CLAIM_DAYS, MAX_CLAIMS_PER_DAY } from "@findersfee/contract/customers/claim-limits";
import type { CreateClaim } from "@findersfee/contract/customers/claims";
import type { ListPortalClaims, PortalClaim } from "@findersfee/contract/portal/claims";
import type { RowPage } from "@findersfee/contract/row-pages";
import {
  type ClaimRow,
  findSameClaim,
  insertClaim,
  listAffiliateClaims,
  listRecentClaims,
  lockClaimant,
} from "@findersfee/database/customers/claims";
import { insertNotices } from "@findersfee/database/mails/notices";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { viewOwnClaim } from "../customers/claims/view.ts";
import { DomainError, invalidField } from "../errors.ts";
import { firstIdOf, newId } from "../ids.ts";
import type { AffiliateSession } from "../principal.ts";
import { readIdPosition, readRowPage } from "../row-pages.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Reports a missing sale. The answer is the same whether a payment of the address is known or not: only staff see it. The
 * same report again is the same claim, and does not count towards the day's limit.
 *
 * Errors: `affiliate_not_active` unless the affiliate is active; `claim_exists` for the same address and day with another note;
 * `rate_limited`; `invalid_request` for a day in the future.
 */
export async function createClaim(
  database: Database,
  { affiliate_id, organization: { id: organization_id } }: AffiliateSession,
  input: CreateClaim,
): Promise<PortalClaim> {
  const at = new Date();
  // Tomorrow has begun somewhere.
  if (Date.parse(input.paid_on) > at.getTime() + DAY_MILLISECONDS) {
    throw invalidField("paid_on", "Must not be in the future.");
  }
  const email = lowerCase(input.email);
  const row = await transaction(database, async (sql) => {
    if (!(await lockClaimant(sql, organization_id, affiliate_id)))
      throw new DomainError("affiliate_not_active");
    const same = await findSameClaim(sql, organization_id, { affiliate_id, email, paid_on: input.paid_on });
    if (same !== null) return requireSameNote(same, input);
    await requireRoom(sql, organization_id, { affiliate_id, at });
    const claim = await insertClaim(sql, organization_id, {
      ...input,
      id: newId(at),
      affiliate_id,
      email,
      created_at: at,
      days: CLAIM_DAYS,
    });
    await insertNotices(sql, organization_id, "claims");
    return claim;
  });
  return viewOwnClaim(row);
}

function requireSameNote(same: ClaimRow, { note }: CreateClaim): ClaimRow {
  if (same.note === note) return same;
  throw new DomainError("claim_exists", { details: { claim_id: same.id } });
}

/** The caller has locked the affiliate. */
async function requireRoom(
  sql: Transaction,
  organization_id: string,
  { affiliate_id, at }: { affiliate_id: string; at: Date },
): Promise<void> {
  const recent = await listRecentClaims(sql, organization_id, {
    affiliate_id,
    from_id: firstIdOf(new Date(at.getTime() - DAY_MILLISECONDS)),
    limit: MAX_CLAIMS_PER_DAY,
  });
  const first = recent.at(-1);
  if (first === undefined || recent.length < MAX_CLAIMS_PER_DAY) return;
  const wait_milliseconds = first.getTime() + DAY_MILLISECONDS - at.getTime();
  throw new DomainError("rate_limited", {
    message: `You can report ${MAX_CLAIMS_PER_DAY} missing sales a day. Try again later.`,
    retry_after_seconds: Math.max(1, Math.ceil(wait_milliseconds / 1000)),
  });
}

/** The affiliate's own claims, newest first. */
export async function listOwnClaims(
  database: Database,
  { affiliate_id, organization: { id: organization_id } }: AffiliateSession,
  query: ListPortalClaims,
): Promise<RowPage<PortalClaim>> {
  return await readRowPage(query, {
    read: (range) => listAffiliateClaims(database, organization_id, { affiliate_id, range }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewOwnClaim,
  });
}
