import type { ReferredBy } from "@findersfee/contract/attribution/payment-rows";
import { listAuditEntries } from "@findersfee/database/audit-log/entries";
import { findRequestedAt } from "@findersfee/database/customers/referrals";
import type { Connection } from "@findersfee/database/postgres/connect";

/** A referral that was changed more often is the work of a program. */
const MAX_CHANGES = 200;
const BY_HAND = /^(user|key) |^operator$/;

/** Who made the customer a referral of the affiliate, by hand or by API; null: a click, a code or a sign-up did. */
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
  const made = changes.find(({ action, after }) => action === "created" || after?.affiliate_id !== undefined);
  if (made === undefined) {
    // The log has no entries of referrals that keys create.
    const at = await findRequestedAt(sql, organizationId, referral_id);
    return at && { actor: "key", actor_name: null, at: at.toISOString() };
  }
  if (!BY_HAND.test(made.actor)) return null;
  return { actor: made.actor, actor_name: made.actor_name, at: made.created_at.toISOString() };
}
