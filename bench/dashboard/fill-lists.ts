/* Affiliates, referrals, payments and deliveries by the million, as if the service had written them one by one. */
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { ATTEMPTS, makePartitions } from "@findersfee/database/postgres/partitions";
import { newId } from "@findersfee/domain/ids";
import type { Program } from "../program.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const YEAR_DAYS = 365;
const DELIVERY_DAYS = 10;
const ENDPOINTS = 20;

/** A UUIDv7 of the column `at` and a number, in SQL. */
const ID = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
  || '7' || lpad(to_hex(number & 4095), 3, '0') || '8' || left(md5(number::text), 15))::uuid`;

/**
 * Adds `rows` affiliates, referrals, payments and deliveries. Triggers are disabled, since nothing counts
 * these rows.
 */
export async function fillLists(database: Database, program: Program, rows: number): Promise<void> {
  await makePartitions(database, ATTEMPTS, {
    now: new Date(Date.now() - DELIVERY_DAYS * DAY_MILLISECONDS),
    ahead: DELIVERY_DAYS + 1,
  });
  await transaction(database, async (sql) => {
    await sql`set local session_replication_role = replica`;
    await insertAffiliates(sql, program, rows);
    await insertReferrals(sql, program, rows);
    await insertPayments(sql, program, rows);
    await insertDeliveries(sql, program, rows);
  });
  await database`vacuum (analyze)`;
  await database`checkpoint`;
}

/** A seventh begins with the same name; one in a hundred waits, another one is banned; a tenth has earned something. */
async function insertAffiliates(
  sql: Transaction,
  { organization_id, affiliate_ids }: Program,
  rows: number,
): Promise<void> {
  await sql`
    insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
      new_paid_referral_notifications, created_at)
    select made.organization_id, ${sql.unsafe(ID)}, campaign_id,
      case when number % 7 = 0 then 'jane.' else left(md5(number::text), 8) || '.' end || number || '@example.com',
      case when number % 7 = 0 then 'Jane' else left(md5(number::text), 8) end, 'Roe ' || number,
      number % 100 <> 1, number % 100 = 2, true, at
    from affiliates, (
      select number, organization_id,
        now() - (${rows}::int - number) * (${YEAR_DAYS}::float8 / ${rows}) * interval '1 day' as at
      from generate_series(1, ${rows}::int) as number, (select ${organization_id}::uuid as organization_id) as one
    ) as made
    where affiliates.organization_id = ${organization_id} and affiliates.id = ${affiliate_ids[0] ?? ""}`;
  await sql`
    insert into affiliate_codes (organization_id, id, affiliate_id, kind, code, created_at)
    select organization_id, gen_random_uuid(), id, 'link', 'code-' || md5(id::text), created_at
    from affiliates where organization_id = ${organization_id} and id <> all (${affiliate_ids}::uuid[])`;
  await sql`
    insert into balances (organization_id, affiliate_id, currency, earned_minor, unpaid_minor)
    select organization_id, id, 'USD', 1 + get_byte(uuid_send(id), 15) * 100, 1 + get_byte(uuid_send(id), 15) * 100
    from affiliates
    where organization_id = ${organization_id} and get_byte(uuid_send(id), 14) < 26
    on conflict do nothing`;
}

/** A seventh begins with the same email; one in a thousand is past due; two thirds have converted. */
async function insertReferrals(
  sql: Transaction,
  { organization_id, affiliate_ids }: Program,
  rows: number,
): Promise<void> {
  await sql`
    insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date,
      processor_customer_id, converted_at, created_at)
    select ${organization_id}::uuid, ${sql.unsafe(ID)}, (${affiliate_ids}::uuid[])[1 + number % ${affiliate_ids.length}::int],
      case when number % 7 = 0 then 'june.' else left(md5(number::text), 8) || '.' end || number || '@customers.test',
      case when number % 1000 = 1 then 'past_due' when number % 20 = 2 then 'trialing' when number % 5 = 3 then 'canceled'
        when number % 3 = 0 then 'signed_up' else 'active' end,
      at, 'cus_' || md5('referral ' || number), case when number % 3 > 0 then at end, at
    from (
      select number, now() - (${rows}::int - number) * (${YEAR_DAYS}::float8 / ${rows}) * interval '1 day' as at
      from generate_series(1, ${rows}::int) as number
    ) as made`;
}

/** Inserts payments, five for each customer. A third earned a commission, most others were not referred. */
async function insertPayments(
  sql: Transaction,
  { organization_id, affiliate_ids, referral_ids }: Program,
  rows: number,
): Promise<void> {
  await sql`
    insert into payment_decisions (organization_id, id, processor, payment_id, customer_id, outcome, referral_id,
      affiliate_id, currency, revenue_minor, commission_minor, paid_minor, reversed_minor, paid_at, explanation,
      created_at, decided_at)
    select ${organization_id}::uuid, ${sql.unsafe(ID)}, 'stripe', 'in_' || md5(number::text),
      md5('customer ' || number / 5)::uuid,
      case when number % 3 = 0 then 'commission' when number % 1000 = 1 then 'click_expired' else 'no_referral' end,
      case when number % 3 = 0 then (${referral_ids}::uuid[])[1 + number % ${referral_ids.length}::int] end,
      case when number % 3 = 0
        then (${affiliate_ids}::uuid[])[1 + number % ${referral_ids.length}::int % ${affiliate_ids.length}::int] end,
      'USD', 4900, case when number % 3 = 0 then 1470 else 0 end, 5900, 0, at, '{"candidates": [], "earned_before": 0, "steps": [], "exact": null}', at, at
    from (
      select number, now() - (${rows}::int - number) * (${YEAR_DAYS}::float8 / ${rows}) * interval '1 day' as at
      from generate_series(1, ${rows}::int) as number
    ) as made`;
  await sql`
    insert into customer_keys (organization_id, key, customer_id)
    select ${organization_id}::uuid, 'email:buyer-' || number || '@example.com', md5('customer ' || number)::uuid
    from generate_series(0, ${rows}::int / 5) as number`;
}

/** Inserts deliveries of each event to every endpoint. One in fifty failed for good. */
async function insertDeliveries(sql: Transaction, { organization_id }: Program, rows: number): Promise<void> {
  const now = new Date();
  const endpoint_ids = Array.from({ length: ENDPOINTS }, () => newId(now));
  await sql`
    insert into endpoints (organization_id, id, url, description, enabled, created_at)
    select ${organization_id}::uuid, id, 'https://hooks.example.com/' || id, '', true, now()
    from unnest(${endpoint_ids}::uuid[]) as id`;
  await sql`
    insert into attempts (organization_id, event_id, endpoint_id, number, attempted_at, duration_milliseconds, status,
      response, ended)
    select ${organization_id}::uuid, event.id, endpoint_id, 1, event.at, 20,
      case when event.number % 50 = 0 then 500 else 204 end, '',
      case when event.number % 50 = 0 then 'exhausted' else 'delivered' end
    from (
      select number, at, ${sql.unsafe(ID)} as id from (
        select number, now() - (number - 0.5) * (${DELIVERY_DAYS}::float8 / ${rows / ENDPOINTS}) * interval '1 day' as at
        from generate_series(1, ${rows / ENDPOINTS}::int) as number
      ) as made
    ) as event, unnest(${endpoint_ids}::uuid[]) as endpoint_id`;
}
