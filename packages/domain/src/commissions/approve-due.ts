import { findCommissionsLead, findCommissionsPayment } from "@findersfee/database/attribution/customers";
import { lockCommission } from "@findersfee/database/commissions/commissions";
import { listDueReviews, lockDueReview, postponeReview } from "@findersfee/database/commissions/reviews";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { isOutage } from "@findersfee/database/postgres/errors";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { ShardOwner } from "@findersfee/database/work/shards";
import type { Context } from "../context.ts";
import { RETRY_DELAYS, repeatedDelay } from "../work/retry-delays.ts";
import { decideWithin } from "./review.ts";

/** Commissions of one turn, each in a transaction of its own. */
const BATCH = 100;

export interface ApprovalTurn {
  owner: ShardOwner;
  /** Ends it between two commissions. */
  signal: AbortSignal;
}

export interface ApprovedReviews {
  approved: number;
  failed: number;
  has_more: boolean;
}

/**
 * Approves an organization's commissions that have waited as long as their campaign said. One that fails is postponed, and
 * the others are approved. It may be interrupted at any point: a commission is approved once.
 */
export async function approveDueReviews(
  database: Database,
  organization_id: string,
  { owner, signal }: ApprovalTurn,
): Promise<ApprovedReviews> {
  const due = await listDueReviews(database, organization_id, { owner, limit: BATCH });
  const organization = due.length === 0 ? null : await findOrganization(database, organization_id);
  const result = { approved: 0, failed: 0, has_more: due.length === BATCH };
  if (organization === null) return result;
  const context: Context = {
    database,
    organization,
    actor: { kind: "automatic", name: "automatic approval" },
    idempotency: null,
    notifyWorkers: () => {},
  };
  for (const { commission_id: id, failures } of due) {
    if (signal.aborted) return result;
    try {
      if (await approve(context, { id, owner })) result.approved += 1;
    } catch (error) {
      if (isOutage(error)) throw error;
      const seconds = repeatedDelay(RETRY_DELAYS.reviews, failures);
      const reason = String(error).slice(0, 500);
      await postponeReview(database, organization_id, { id, owner, seconds, reason });
      result.failed += 1;
    }
  }
  return result;
}

/** False: somebody decided before, or another worker has the organization's shard. */
async function approve(context: Context, { id, owner }: { id: string; owner: ShardOwner }): Promise<boolean> {
  const { database, organization } = context;
  return await transaction(database, async (sql) => {
    // Locked in the same order as by a person's decision: payments, the commission, its review.
    const is_reported =
      (await findCommissionsPayment(sql, organization.id, id)) !== null ||
      (await findCommissionsLead(sql, organization.id, id)) !== null;
    if (is_reported) await lockPayments(sql, organization.id);
    await lockCommission(sql, organization.id, id);
    if (!(await lockDueReview(sql, organization.id, { id, owner }))) return false;
    return await decideWithin(sql, context, { id, state: "approved", reason: null });
  });
}
