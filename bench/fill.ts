/*
 * What no operation of the service does, and so has no statement in packages/database: rows by the million.
 */
import { type Database, type Transaction, transaction } from "@findersfee/database/connect";
import { newId } from "@findersfee/domain/ids";

/** Whose rows they are. */
interface Owner {
  organization_id: string;
  affiliate_ids: string[];
  referral_ids: string[];
}

interface Filling {
  commissions: number;
  from: Date;
  until: Date;
}

/**
 * Writes commissions, oldest first, spread over the referrals, each with a payment and an event; three of
 * four are paid. Then the table's statistics and its visibility map are brought up to date, as autovacuum
 * would have done meanwhile.
 */
export async function fillCommissions(database: Database, program: Owner, filling: Filling): Promise<void> {
  if (filling.commissions > 0) await transaction(database, (sql) => fill(sql, program, filling));
  await database`vacuum (analyze)`;
}

async function fill(sql: Transaction, program: Owner, filling: Filling): Promise<void> {
  // The referenced rows are there, and looking for each of them a million times takes half a minute.
  // Only a superuser may leave that out.
  const [{ superuser }] = await sql<[{ superuser: boolean }]>`
      select current_setting('is_superuser')::boolean as superuser`;
  if (superuser) await sql`set local session_replication_role = replica`;
  // Nor may anybody else make commissions that are paid already.
  const payout_ids = superuser ? await insertPayouts(sql, program, filling.from) : [];
  await insertCommissions(sql, program, { ...filling, payout_ids });
  await insertEvents(sql, program.organization_id);
}

/** One paid payout of each affiliate. */
async function insertPayouts(sql: Transaction, program: Owner, at: Date): Promise<string[]> {
  const payout_ids = program.affiliate_ids.map(() => newId(at));
  await sql`
    insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period,
      payment_count, status, method, status_at, status_by, created_at)
    select ${program.organization_id}, payout.id, payout.affiliate_id, 'Jane Doe', 3000, 'USD', '2026-01', 1,
      'paid', 'manual', ${at}, 'bench', ${at}
    from unnest(${payout_ids}::uuid[], ${program.affiliate_ids}::uuid[]) as payout (id, affiliate_id)`;
  return payout_ids;
}

/** The ids are UUIDv7 of the time of creation, as the service makes them. */
async function insertCommissions(
  sql: Transaction,
  { organization_id, affiliate_ids, referral_ids }: Owner,
  { commissions, from, until, payout_ids }: Filling & { payout_ids: string[] },
): Promise<void> {
  const step_milliseconds = Math.floor((until.getTime() - from.getTime()) / commissions);
  await sql`
    insert into commissions (organization_id, id, affiliate_id, referral_id, payout_id, revenue_minor,
      commission_minor, currency, payout_status, referral_date, processor_payment_id, created_at, payable_at,
      cause)
    select ${organization_id}::uuid, made.id::uuid,
      (${affiliate_ids}::uuid[])[1 + made.referral % ${affiliate_ids.length}::int],
      (${referral_ids}::uuid[])[1 + made.referral],
      case when made.paid then (${payout_ids}::uuid[])[1 + made.referral % ${affiliate_ids.length}::int] end,
      10000, 3000, 'USD', case when made.paid then 'paid' else 'not_paid' end, made.created_at,
      'pi_' || made.noise, made.created_at, made.created_at + interval '15 days', 'bench'
    from (
      select counted.created_at, counted.paid, counted.referral, counted.noise,
        lpad(to_hex((extract(epoch from counted.created_at) * 1000)::bigint), 12, '0')
          || '7' || lpad(to_hex(counted.number & 4095), 3, '0') || '8' || left(counted.noise, 15) as id
      from (
        select number, md5(number::text) as noise,
          number <= ${payout_ids.length === 0 ? 0 : Math.floor(commissions / 4) * 3}::int as paid,
          (number::bigint * 7919 % ${referral_ids.length}::int)::int as referral,
          ${from}::timestamptz + number * (${step_milliseconds}::int * interval '1 millisecond') as created_at
        from generate_series(1, ${commissions}::int) as number
        offset 0
      ) counted
    ) made`;
}

/** What subscribers got does not matter for what is written next to it, so the bodies are short. */
async function insertEvents(sql: Transaction, organization_id: string): Promise<void> {
  await sql`
    insert into events (organization_id, id, type, body, position, created_at)
    select organization_id, id, 'commission.created', '{}', row_number() over (order by id), created_at
    from commissions where organization_id = ${organization_id} order by id`;
}

/** Lets each referral have its first commission once more. */
export async function forgetConversions(sql: Database, organization_id: string): Promise<void> {
  await sql`
    update referrals set converted_at = null
    where organization_id = ${organization_id} and converted_at is not null`;
}

/** The id after which a page begins: the last one of the page before, newest first. */
export async function findCursor(
  sql: Database,
  organization_id: string,
  { page, limit }: { page: number; limit: number },
): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    select id from commissions where organization_id = ${organization_id}
    order by id desc limit 1 offset ${(page - 1) * limit - 1}`;
  if (row === undefined) throw new Error(`there is no page ${page}`);
  return row.id;
}
