/* The ledger's statements for tests that change rows without an operation, with the postings of the rules. */
import { updateCommissions, type WrittenCommission } from "@findersfee/database/commissions/changes";
import { lockCommission } from "@findersfee/database/commissions/commissions";
import { markPaid, releasePayouts } from "@findersfee/database/payouts/moves";
import { createPayouts, listDue, NO_PAYEE, type Payee } from "@findersfee/database/payouts/runs";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { newId } from "../src/ids.ts";
import { postingsOfChange } from "../src/ledger/postings.ts";

type Changes = Partial<Pick<WrittenCommission, "commission_minor" | "payout_status" | "referral_date">>;

/** Changes a commission, also one that an operation would refuse to change. */
export async function changeCommission(
  sql: Transaction,
  organization_id: string,
  { id, ...changes }: Changes & { id: string },
): Promise<void> {
  const locked = await lockCommission(sql, organization_id, id);
  if (locked === null) throw new Error(`there is no commission ${id}`);
  const { affiliate, referral, payout: _, ...row } = locked;
  const before = { ...row, affiliate_id: affiliate.id };
  const change = { before, after: { ...before, referral_id: referral.id, cause: "test", ...changes } };
  await updateCommissions(sql, organization_id, { changes: [change], postings: postingsOfChange(change) });
}

/** Creates a run's payouts of all that is due to one payee or, without one, to any; returns their ids. */
export async function payDue(
  sql: Transaction,
  organization_id: string,
  { run_id, payee }: { run_id: string; payee?: Payee },
): Promise<string[]> {
  const [run] = await sql<[{ id: string; cutoff_at: Date; affiliate_ids: string[] | null }]>`
    select id, cutoff_at, affiliate_ids from payout_runs where organization_id = ${organization_id} and id = ${run_id}`;
  const due = await listDue(sql, organization_id, { run, after: NO_PAYEE, limit: 1_000 });
  const payees = payee === undefined ? due.filter(({ amount_minor }) => amount_minor > 0n) : [payee];
  const created_at = new Date();
  const payouts = payees.map(({ affiliate_id, currency }) => {
    return { id: newId(created_at), affiliate_id, currency };
  });
  const created = await createPayouts(sql, organization_id, { run, created_at, payouts });
  return created.map(({ id }) => id);
}

/** Moves all pending payouts of an organization, or the named payouts in any status. */
export async function settlePayouts(
  sql: Transaction,
  organization_id: string,
  { status, ids }: { status: "paid" | "failed" | "canceled"; ids?: readonly string[] },
): Promise<void> {
  const pending = await sql<{ id: string }[]>`
    select id from payouts where organization_id = ${organization_id} and status = 'pending' order by id`;
  const move = { ids: ids ?? pending.map(({ id }) => id), by: "test", reason: null, at: new Date() };
  if (status === "paid") await markPaid(sql, organization_id, move);
  else await releasePayouts(sql, organization_id, { ...move, status });
}
