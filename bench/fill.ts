/*
 * Bulk data that no operation of the service writes, and that packages/database has no statement for: rows by
 * the million.
 */
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { newId } from "@findersfee/domain/ids";

/** The owner of the rows. */
interface Owner {
  organization_id: string;
  affiliate_ids: string[];
  referral_ids: string[];
}

/** The share of the time range, from its start, that is paid. */
const PAID = 3 / 4;

interface Filling {
  commissions: number;
  from: Date;
  until: Date;
}

/**
 * Writes commissions, oldest first, spread over the referrals, each with a payment and an event; three of
 * four are paid. Then updates the table's statistics and visibility map, as autovacuum would have done.
 */
export async function fillCommissions(database: Database, program: Owner, filling: Filling): Promise<void> {
  if (filling.commissions > 0) await transaction(database, (sql) => fill(sql, program, filling));
  await database`vacuum (analyze)`;
}

async function fill(sql: Transaction, program: Owner, filling: Filling): Promise<void> {
  // The referenced rows exist; checking a million foreign keys takes half a minute. Only a superuser may skip
  // it.
  const [{ superuser }] = await sql<[{ superuser: boolean }]>`
      select current_setting('is_superuser')::boolean as superuser`;
  if (superuser) await sql`set local session_replication_role = replica`;
  await insertCommissions(sql, program, filling);
  // Only a superuser may insert commissions that are already paid.
  if (superuser) await insertStates(sql, program, filling);
  await insertEvents(sql, program.organization_id);
}

/**
 * Does the triggers' work: the older commissions are in one paid payout per affiliate, the others are unpaid.
 */
async function insertStates(
  sql: Transaction,
  { organization_id, affiliate_ids }: Owner,
  { commissions, from, until }: Filling,
): Promise<void> {
  const paid_until = new Date(from.getTime() + PAID * (until.getTime() - from.getTime()));
  const payout_ids = affiliate_ids.map(() => newId(paid_until));
  const each = Math.max(1, Math.round((PAID * commissions) / affiliate_ids.length));
  await sql`
    insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period,
      payment_count, status, method, status_at, status_by, created_at)
    select ${organization_id}, payout.id, payout.affiliate_id, 'Jane Doe', ${each * 3000}::bigint, 'USD', '2026-01', ${each}::int,
      'paid', 'manual', ${paid_until}, 'bench', ${paid_until}
    from unnest(${payout_ids}::uuid[], ${affiliate_ids}::uuid[]) as payout (id, affiliate_id)`;
  await sql`
    insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
    select organization_id, affiliate_id, commission.id, payout.id
    from commissions commission
    join unnest(${payout_ids}::uuid[], ${affiliate_ids}::uuid[]) as payout (id, affiliate_id) using (affiliate_id)
    where organization_id = ${organization_id} and created_at < ${paid_until}`;
  await sql`
    insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor,
      due_at)
    select organization_id, id, affiliate_id, currency, commission_minor, greatest(payable_at, created_at)
    from commissions where organization_id = ${organization_id} and created_at >= ${paid_until}`;
}

/** The ids are UUIDv7 of the creation time, as in the service. */
async function insertCommissions(
  sql: Transaction,
  { organization_id, affiliate_ids, referral_ids }: Owner,
  { commissions, from, until }: Filling,
): Promise<void> {
  const step_milliseconds = Math.floor((until.getTime() - from.getTime()) / commissions);
  await sql`
    insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor,
      currency, referral_date, processor_payment_id, created_at, payable_at, cause)
    select ${organization_id}::uuid, made.id::uuid,
      (${affiliate_ids}::uuid[])[1 + made.referral % ${affiliate_ids.length}::int],
      (${referral_ids}::uuid[])[1 + made.referral], 10000, 3000, 'USD', made.created_at,
      'pi_' || made.noise, made.created_at, made.created_at + interval '15 days', 'bench'
    from (
      select counted.created_at, counted.referral, counted.noise,
        lpad(to_hex((extract(epoch from counted.created_at) * 1000)::bigint), 12, '0')
          || '7' || lpad(to_hex(counted.number & 4095), 3, '0') || '8' || left(counted.noise, 15) as id
      from (
        select number, md5(number::text) as noise,
          (number::bigint * 7919 % ${referral_ids.length}::int)::int as referral,
          ${from}::timestamptz + number * (${step_milliseconds}::int * interval '1 millisecond') as created_at
        from generate_series(1, ${commissions}::int) as number
        offset 0
      ) counted
    ) made`;
  await sql`
    insert into payment_names (organization_id, name, commission_id)
    select organization_id, processor_payment_id, id from commissions
    where organization_id = ${organization_id} and cause = 'bench' and created_at >= ${from}`;
}

/** The bodies are short, since their content does not affect the next writes. */
async function insertEvents(sql: Transaction, organization_id: string): Promise<void> {
  await sql`
    insert into events (organization_id, id, type, body, position, created_at)
    select organization_id, id, 'commission.created', '{}', row_number() over (order by id), created_at
    from commissions where organization_id = ${organization_id} order by id`;
}

/** Resets each referral so that it can have its first commission again. */
export async function forgetConversions(sql: Database, organization_id: string): Promise<void> {
  await sql`
    update referrals set converted_at = null
    where organization_id = ${organization_id} and converted_at is not null`;
}

/** The id before a page: the last one of the previous page, newest first. */
export async function findCursor(
  sql: Database,
  organization_id: string,
  { page, limit }: { page: number; limit: number },
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id from commissions where organization_id = ${organization_id}
    order by id desc limit 1 offset ${(page - 1) * limit - 1}`;
  if (row === undefined) throw new Error(`page ${page} does not exist`);
  return row.id;
}
