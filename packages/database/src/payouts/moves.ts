import { insertUnpaid, postPaid, postReleased } from "../ledger/postings.ts";
import { NOTIFIED } from "../mails/notifications.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { PayoutRow } from "../rows.ts";

export interface PayoutStatusRow {
  id: string;
  status: PayoutRow["status"];
}

/** Locks payouts in the order of their ids; returns those that exist. */
export async function lockPayouts(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<PayoutStatusRow[]> {
  return await sql<PayoutStatusRow[]>`
    select id, status from payouts
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])
    order by id for no key update`;
}

export interface PayoutMoveValues {
  ids: readonly string[];
  by: string;
  reason: string | null;
  at: Date;
}

/** The maximum number of payouts that a mail about failed payouts names. */
const NAMED = 5;

type MoveName = "organization_id" | "ids" | "status" | "by" | "reason" | "at";

/** The changed rows as the common table expression `payout`. */
const MOVE = `payout as (
      update payouts set status = :status::text, status_at = :at::timestamptz, status_by = :by::text,
        status_reason = :reason::text
      where organization_id = :organization_id::uuid and id = any (:ids::uuid[])
      returning id, affiliate_id, currency, amount_minor, status_by
    )`;

const PROCESS = statement<object, MoveName>(`with ${MOVE} select`);

const PAY = statement<object, MoveName>(`with ${MOVE}, ${postPaid("payout")} select`);

/**
 * Each line is looked up by its key: statistics of new tables may be missing. `former` has the status before the
 * statement, of rows that the transaction locked.
 */
const RELEASE = statement<object, MoveName>(`
  with former as (
    select id, status = 'paid' as was_paid from payouts
    where organization_id = :organization_id::uuid and id = any (:ids::uuid[])
  ),
  ${MOVE},
  released as (select payout.*, former.was_paid from payout join former using (id)),
  removed as (
    delete from payout_commissions
    where organization_id = :organization_id::uuid and payout_id = any (:ids::uuid[])
    returning commission_id
  ),
  line as (
    select line.* from removed
    cross join lateral (
      select id, affiliate_id, currency, commission_minor, payable_at, created_at, review_state
      from payable_lines
      where organization_id = :organization_id::uuid and id = removed.commission_id
      offset 0
    ) as line
  ),
  ${insertUnpaid("line")},
  ${postReleased("released")}
  select`);

/** Marks payouts as processing: the money is on its way to the affiliates. The ledger does not change. */
export async function markProcessing(
  sql: Connection,
  organizationId: string,
  move: PayoutMoveValues,
): Promise<void> {
  await PROCESS.run(sql, { organization_id: organizationId, status: "processing", ...move });
}

/** Marks payouts with all their lines as paid; the affiliates get mails. */
export async function markPaid(
  sql: Connection,
  organizationId: string,
  move: PayoutMoveValues,
): Promise<void> {
  await PAY.run(sql, { organization_id: organizationId, status: "paid", ...move });
  await insertPaidMails(sql, organizationId, move.ids);
}

/** Marks payouts as failed or canceled: their lines are unpaid again, also of those that were paid. The owners get a mail about failed ones. */
export async function releasePayouts(
  sql: Connection,
  organizationId: string,
  { status, ...move }: PayoutMoveValues & { status: "failed" | "canceled" },
): Promise<void> {
  await RELEASE.run(sql, { organization_id: organizationId, status, ...move });
  if (status === "failed") await insertFailedMails(sql, organizationId, move.ids);
}

/** Inserts a mail to the affiliate of each payout. */
async function insertPaidMails(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    insert into mails (organization_id, kind, about, affiliate_id)
    select organization_id, 'payout_paid', id::text, affiliate_id from payouts
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])
    on conflict (organization_id, kind, about, recipient) do nothing`;
}

/**
 * Inserts one mail about all payouts that fail in this transaction to each member who wants to know at once. `now()` is the start of the
 * transaction, so the payouts of several statements are combined in one mail.
 */
async function insertFailedMails(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    insert into mails as mail (organization_id, kind, about, recipient, payout_count, payout_ids)
    select notified.organization_id, 'payouts_failed', extract(epoch from now())::text, notified.email, ${ids.length},
      ${[...ids].sort().slice(0, NAMED)}::uuid[]
    from ${sql.unsafe(NOTIFIED)} as notified
    where notified.organization_id = ${organizationId} and notified.topic = 'payouts'
      and notified.frequency = 'at_once'
    on conflict (organization_id, kind, about, recipient) do update
    set payout_count = mail.payout_count + excluded.payout_count,
      payout_ids = (mail.payout_ids || excluded.payout_ids)[1:${NAMED}]`;
}
