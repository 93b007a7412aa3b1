import type { ReferredBy } from "@findersfee/contract/attribution/payment-rows";
import { findOverride } from "@findersfee/database/attribution/overrides";
import { listAuditEntries } from "@findersfee/database/audit-log/entries";
import { findReferralOrigin } from "@findersfee/database/customers/referrals";
import type { Connection } from "@findersfee/database/postgres/connect";
import { viewOverride } from "./overrides/view.ts";

/** A referral that was changed more often is the work of a program. */
const MAX_CHANGES = 200;
const BY_HAND = /^(user|key) |^operator$/;

/**
 * The person or program that made the customer a referral of the affiliate, manually or by API; null: a
 * click, a code or a sign-up did. People who moved the customer since then are in overrides.
 */
export async function findReferredBy(
  sql: Connection,
  organizationId: string,
  referral_id: string | null,
): Promise<ReferredBy | null> {
  if (referral_id === null) return null;
  const changes = await listAuditEntries(sql, organizationId, {
    filter: { resource: "referral", resource_id: referral_id },
    range: { from_id: null, below_id: null, limit: MAX_CHANGES },
  });
  const made = changes.find(
    ({ action, actor, after }) =>
      action === "created" || (after?.affiliate_id !== undefined && !BY_HAND.test(actor)),
  );
  if (made !== undefined && !BY_HAND.test(made.actor)) return null;
  const origin = await findReferralOrigin(sql, organizationId, referral_id);
  if (origin?.override_id) return await findCredit(sql, organizationId, origin.override_id);
  if (made === undefined) {
    // The log has no entries of referrals that keys create.
    const at = origin?.requested_at ?? null;
    return at && { actor: "key", actor_name: null, at: at.toISOString(), is_credit: false };
  }
  return {
    actor: made.actor,
    actor_name: made.actor_name,
    at: made.created_at.toISOString(),
    is_credit: false,
  };
}

async function findCredit(sql: Connection, organizationId: string, id: string): Promise<ReferredBy | null> {
  const row = await findOverride(sql, organizationId, id);
  if (row === null) return null;
  const { created_by: actor, created_by_name: actor_name, created_at: at } = viewOverride(row);
  return { actor, actor_name, at, is_credit: true };
}
