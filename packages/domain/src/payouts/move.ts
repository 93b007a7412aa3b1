import type { MovePayouts, Payout, PayoutMove } from "@findersfee/contract/payouts/payouts";
import { insertPayoutAuditEntries } from "@findersfee/database/audit-log/entries";
import {
  findRecruitsOfPayouts,
  followReviews,
  lockRecruitsCommissions,
} from "@findersfee/database/commissions/recruits";
import {
  lockPayouts,
  markPaid,
  markProcessing,
  type PayoutMoveValues,
  type PayoutStatusRow,
  releasePayouts,
} from "@findersfee/database/payouts/moves";
import { findPayouts } from "@findersfee/database/payouts/payouts";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Actor, actorText } from "../actor.ts";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { newId } from "../ids.ts";
import { mayMove } from "../ledger/payout-states.ts";
import { inTransaction } from "../transaction.ts";
import { viewPayout } from "./view.ts";

/** The reason of a payout that was paid and failed, unless another one is given: its money came back. */
const RETURNED = "Returned";
/** Maximum number of rejected payouts in an error message. */
const NAMED = 5;

/**
 * Moves payouts to another status, all of them or none. Their commissions and adjustments follow: paid with the payout, or unpaid again
 * after a failure or cancellation. A paid payout fails if its money came back. Errors: `not_found`, `payout_locked`.
 */
export async function movePayouts(
  context: Context,
  { ids, status, reason, through_processing = false }: MovePayouts,
): Promise<Payout[]> {
  const { organization, actor } = context;
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  return await inTransaction(context, async (sql) => {
    const rows = await lockPayouts(sql, organization.id, wanted);
    requireAll(wanted, rows);
    const pending = through_processing && status === "paid" ? rows.filter(isPending) : [];
    requireMovable(
      rows.filter((row) => !pending.includes(row)),
      status,
    );
    if (pending.length > 0) {
      const first = { ids: pending.map(({ id }) => id), status: "processing" as const };
      await moveLocked(sql, organization.id, { ...first, reason: null, by: actor });
    }
    for (const part of partsOf(rows, reason))
      await moveLocked(sql, organization.id, { ...part, status, by: actor });
    const moved = await findPayouts(sql, organization.id, wanted);
    return moved.map((row) => viewPayout(row, organization.currency));
  });
}

/** Moves payouts that the transaction has locked and checked, and writes audit log entries. */
export async function moveLocked(
  sql: Connection,
  organizationId: string,
  move: { ids: readonly string[]; status: PayoutMove; reason: string | null; by: Actor },
): Promise<void> {
  const at = new Date();
  const by = actorText(move.by);
  const entry_ids = move.ids.map(() => newId(at));
  await insertPayoutAuditEntries(sql, organizationId, { ...move, by, at, entry_ids });
  await writeMove(sql, organizationId, { ...move, by, at });
}

/** Writes the payouts' new status with its ledger entries. */
async function writeMove(
  sql: Connection,
  organizationId: string,
  { status, ...move }: PayoutMoveValues & { status: PayoutMove },
): Promise<void> {
  switch (status) {
    case "processing":
      return await markProcessing(sql, organizationId, move);
    case "paid":
      return await markPaid(sql, organizationId, move);
    case "failed":
    case "canceled":
      return await release(sql, organizationId, { ...move, status });
  }
}

/** Commissions for recruits wait from then on if the recruits' commissions do. */
async function release(
  sql: Connection,
  organizationId: string,
  move: Parameters<typeof releasePayouts>[2],
): Promise<void> {
  const recruits = await findRecruitsOfPayouts(sql, organizationId, move.ids);
  if (recruits.length > 0) await lockRecruitsCommissions(sql, organizationId, recruits);
  await releasePayouts(sql, organizationId, move);
  if (recruits.length > 0) await followReviews(sql, organizationId, recruits);
}

/** Payouts that were paid, and the others: without a reason, only the first ones get one. */
function partsOf(rows: readonly PayoutStatusRow[], reason: string | undefined) {
  const idsOf = (was_paid: boolean) =>
    rows.filter(({ status }) => (status === "paid") === was_paid).map(({ id }) => id);
  const parts = [
    { ids: idsOf(true), reason: reason ?? RETURNED },
    { ids: idsOf(false), reason: reason ?? null },
  ];
  return parts.filter(({ ids }) => ids.length > 0);
}

function isPending({ status }: PayoutStatusRow): boolean {
  return status === "pending";
}

function requireAll(wanted: readonly string[], rows: readonly PayoutStatusRow[]): void {
  const found = new Set(rows.map(({ id }) => id));
  const missing = wanted.filter((id) => !found.has(id));
  if (missing.length === 0) return;
  throw new DomainError("not_found", {
    message: `There is no payout ${some(missing)}; nothing was changed.`,
  });
}

function requireMovable(rows: readonly PayoutStatusRow[], status: PayoutMove): void {
  const refused = rows.filter((row) => !mayMove(row.status, status));
  if (refused.length === 0) return;
  const named = refused.map((row) => `${row.id}, which is ${row.status}`);
  throw new DomainError("payout_locked", {
    message: `Cannot change to ${status}: payout ${some(named)}; nothing was changed.`,
    details: { payout_id: refused[0]?.id ?? "" },
  });
}

function some(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
