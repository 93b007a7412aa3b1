/* An affiliate with many commissions, as if the service had written them one by one. */
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { rebuildTotals } from "@findersfee/domain/reports/totals/rebuild";
import { fillClicks } from "../dashboard/fill.ts";
import type { Program } from "../program.ts";

/** One of this many commissions is void. */
const VOIDED_EACH = 200;

/**
 * Moves a tenth of a program's affiliates, with all their data, into the first one, and returns its id. Half
 * of its paid commissions are in one payout, and the last payout is pending.
 */
export async function fillAffiliate(database: Database, program: Program, clicks: number): Promise<string> {
  const { organization_id, affiliate_ids } = program;
  const [affiliate_id = ""] = affiliate_ids;
  await fillClicks(database, program, clicks);
  await transaction(database, async (sql) => {
    // Only a superuser may write such rows.
    await sql`set local session_replication_role = replica`;
    const others = affiliate_ids.slice(1, affiliate_ids.length / 10);
    for (const table of ["commissions", "unpaid_commissions", "payout_commissions", "referrals", "payouts"]) {
      await sql`
        update ${sql(table)} set affiliate_id = ${affiliate_id}
        where organization_id = ${organization_id} and affiliate_id = any (${others}::uuid[])`;
    }
    await voidSome(sql, { organization_id, affiliate_id });
    await mergePayouts(sql, { organization_id, affiliate_id });
    await writeLedger(sql, { organization_id, affiliate_id });
    await writeSubIds(sql, { organization_id, affiliate_id });
  });
  await rebuildTotals(database, organization_id);
  await database`vacuum (analyze)`;
  await database`checkpoint`;
  return affiliate_id;
}

type Own = Record<"organization_id" | "affiliate_id", string>;

async function voidSome(sql: Transaction, { organization_id, affiliate_id }: Own): Promise<void> {
  await sql`
    with void as (
      update commissions set voided = true
      where organization_id = ${organization_id} and affiliate_id = ${affiliate_id}
        and ('x' || right(id::text, 6))::bit(24)::int % ${VOIDED_EACH}::int = 0
      returning id
    ), placed as (
      delete from payout_commissions using void
      where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} and commission_id = void.id
    )
    delete from unpaid_commissions using void
    where organization_id = ${organization_id} and commission_id = void.id`;
}

async function mergePayouts(sql: Transaction, { organization_id, affiliate_id }: Own): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    select id from payouts where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} order by id`;
  const ids = rows.map(({ id }) => id);
  await sql`
    update payout_commissions set payout_id = ${ids[0] ?? ""}
    where organization_id = ${organization_id} and payout_id = any (${ids.slice(0, ids.length / 2)}::uuid[])`;
  await sql`
    update payouts set status = 'pending' where organization_id = ${organization_id} and id = ${ids.at(-1) ?? ""}`;
  await sql`
    update payouts set payment_count = placed.number, amount_minor = 3000 * placed.number
    from (
      select payout_id, count(*) as number from payout_commissions
      where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} group by payout_id
    ) as placed
    where organization_id = ${organization_id} and id = placed.payout_id`;
}

/** All referrals have one of 50 sub-ids. Each sub-id was clicked every day. */
async function writeSubIds(sql: Transaction, { organization_id, affiliate_id }: Own): Promise<void> {
  await sql`
    update referrals set sub_id = 'place-' || ('x' || right(id::text, 6))::bit(24)::int % 50
    where organization_id = ${organization_id} and affiliate_id = ${affiliate_id}`;
  await sql`
    insert into sub_id_clicks (day, organization_id, affiliate_id, sub_id, clicks)
    select (now() at time zone 'UTC')::date - day, ${organization_id}, ${affiliate_id}, 'place-' || place, 10
    from generate_series(0, 59) as day cross join generate_series(0, 49) as place`;
}

async function writeLedger(sql: Transaction, { organization_id, affiliate_id }: Own): Promise<void> {
  await sql`
    insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
    select organization_id, affiliate_id, currency, id, 'earned', commission_minor, cause
    from commissions where organization_id = ${organization_id} and affiliate_id = ${affiliate_id} order by id`;
  await sql`
    insert into ledger_entries (organization_id, affiliate_id, currency, payout_id, commission_ids, kind, unpaid_minor,
      in_payout_minor, cause)
    select organization_id, affiliate_id, 'USD', payout_id, array_agg(commission_id order by commission_id),
      'put_into_payout', -3000 * count(*), 3000 * count(*), 'bench'
    from payout_commissions where organization_id = ${organization_id} and affiliate_id = ${affiliate_id}
    group by organization_id, affiliate_id, payout_id`;
  await sql`
    insert into balances (organization_id, affiliate_id, currency, earned_minor, unpaid_minor, in_payout_minor)
    select organization_id, affiliate_id, currency, sum(unpaid_minor) filter (where kind = 'earned'), sum(unpaid_minor),
      sum(in_payout_minor)
    from ledger_entries where organization_id = ${organization_id} and affiliate_id = ${affiliate_id}
    group by organization_id, affiliate_id, currency`;
}
