import type { Connection } from "./connect.ts";
import type { PayoutRow } from "./rows.ts";

export interface PayoutStatusRow {
  id: string;
  status: PayoutRow["status"];
}

/** Payouts, locked in the order of their ids; those that there are. */
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
  status: PayoutRow["status"];
  by: string;
  reason: string | null;
  at: Date;
}

/** Of payouts that failed together, so many are named. */
const NAMED = 5;

/** Moves payouts, which their commissions follow (`0014_ledger_triggers.sql`), and has told whom it concerns. */
export async function movePayouts(
  sql: Connection,
  organizationId: string,
  { ids, status, by, reason, at }: PayoutMoveValues,
): Promise<void> {
  await sql`
    update payouts set status = ${status}, status_at = ${at}, status_by = ${by}, status_reason = ${reason}
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])`;
  if (status === "paid") await insertPaidMails(sql, organizationId, ids);
  if (status === "failed") await insertFailedMails(sql, organizationId, ids);
}

/** To each affiliate, of each payout. */
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
 * To each owner, one of all payouts that fail in this transaction. `now()` is when it began, the same in each of
 * its statements, so what fails in several of them becomes one mail, too.
 */
async function insertFailedMails(
  sql: Connection,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    insert into mails as mail (organization_id, kind, about, recipient, payout_count, payout_ids)
    select id, 'payouts_failed', extract(epoch from now())::text, owner.email, ${ids.length},
      ${[...ids].sort().slice(0, NAMED)}::uuid[]
    from organizations
    cross join lateral (select distinct unnest(owner_emails) as email) as owner
    where id = ${organizationId} and owner.email <> ''
    on conflict (organization_id, kind, about, recipient) do update
    set payout_count = mail.payout_count + excluded.payout_count,
      payout_ids = (mail.payout_ids || excluded.payout_ids)[1:${NAMED}]`;
}
