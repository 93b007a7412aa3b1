import { listAuditEntries } from "@findersfee/database/audit-log/entries";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../actor.ts";
import { DomainError } from "../errors.ts";
import { firstIdOf } from "../ids.ts";
import type { AffiliateSession } from "../principal.ts";

/** Changes of an affiliate's own data in a day: each is an audit log entry, which stays forever. */
const MAX_CHANGES = 20;
const DAY_MILLISECONDS = 24 * 60 * 60_000;

/**
 * Refuses the change that the transaction has just made and recorded, if it is one too many. The caller has locked the affiliate.
 * A request that changed nothing has no entry, and is never refused.
 *
 * @throws DomainError `rate_limited`, with the time at which the oldest of the changes is a day old
 */
export async function requireRoomOfDay(
  sql: Transaction,
  { affiliate_id, organization }: AffiliateSession,
): Promise<void> {
  const now = Date.now();
  const entries = await listAuditEntries(sql, organization.id, {
    filter: {
      resource: "affiliate",
      resource_id: affiliate_id,
      actor: actorText({ kind: "affiliate", id: affiliate_id }),
    },
    range: { from_id: firstIdOf(new Date(now - DAY_MILLISECONDS)), below_id: null, limit: MAX_CHANGES + 1 },
  });
  // Newest first, this one included.
  const oldest = entries[MAX_CHANGES];
  if (oldest === undefined) return;
  const again_at = new Date(oldest.created_at.getTime() + DAY_MILLISECONDS);
  throw new DomainError("rate_limited", {
    message: `You can change your data ${MAX_CHANGES} times in 24 hours. It works again at ${again_at.toISOString()}.`,
    retry_after_seconds: Math.max(1, Math.ceil((again_at.getTime() - now) / 1000)),
  });
}
