/* Affiliates with unpaid commissions, as if the service had created them one by one. */
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import type { Program } from "../program.ts";

export interface Payees {
  affiliates: number;
  commissions_each: number;
  /** The age in days of each affiliate's first commission; the others follow evenly until now. */
  days: number;
  /** False: Postgres keeps the statistics from before. */
  analyzes?: boolean;
}

/**
 * Adds affiliates, each with a referral and commissions, their ledger entries and their balances. Triggers
 * and foreign key checks are disabled while writing; their work is done in bulk afterwards.
 */
export async function fillPayees(database: Database, program: Program, payees: Payees): Promise<void> {
  await transaction(database, async (sql) => {
    await sql`set local session_replication_role = replica`;
    await insertAffiliates(sql, program, payees.affiliates);
    await insertCommissions(sql, program, payees);
    await insertLedger(sql, program.organization_id);
  });
  if (payees.analyzes !== false) await database`vacuum (analyze)`;
  // Flushes the bulk writes now, so that they do not disturb a measurement.
  await database`checkpoint`;
}

async function insertAffiliates(
  sql: Transaction,
  { organization_id, affiliate_ids }: Program,
  affiliates: number,
): Promise<void> {
  await sql`
    insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, payout_email, approved,
      new_paid_referral_notifications, created_at)
    select organization_id, gen_random_uuid(), campaign_id, 'payee-' || number || '@example.com', 'Jane',
      'Doe ' || number, 'payee-' || number || '@example.com', true, false, now()
    from affiliates, generate_series(1, ${affiliates}::int) as number
    where organization_id = ${organization_id} and id = ${affiliate_ids[0] ?? ""}`;
  await sql`
    insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
    select organization_id, gen_random_uuid(), id, 'customer-of-' || email, 'active', now(), now()
    from affiliates where organization_id = ${organization_id} and email like 'payee-%'`;
}

async function insertCommissions(
  sql: Transaction,
  { organization_id }: Program,
  { commissions_each, days }: Payees,
): Promise<void> {
  await sql`
    insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor,
      currency, referral_date, processor_payment_id, created_at, payable_at, cause)
    select organization_id, id, affiliate_id, referral_id, 10000, 3000, 'USD', at, 'pi_' || id, at,
      at + interval '15 days', 'bench'
    from (
      select referral.organization_id, gen_random_uuid() as id, referral.affiliate_id, referral.id as referral_id,
        now() - ${days}::int * interval '1 day' * (1 - number::float / (${commissions_each}::int + 1)) as at
      from referrals referral, generate_series(1, ${commissions_each}::int) as number
      where referral.organization_id = ${organization_id} and referral.email like 'customer-of-%'
    ) as made`;
  await sql`
    insert into payment_names (organization_id, name, commission_id)
    select organization_id, processor_payment_id, id from commissions
    where organization_id = ${organization_id} and cause = 'bench'`;
}

async function insertLedger(sql: Transaction, organization_id: string): Promise<void> {
  await sql`
    insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor,
      due_at)
    select organization_id, id, affiliate_id, currency, commission_minor, greatest(payable_at, created_at)
    from commissions where organization_id = ${organization_id} and cause = 'bench'`;
  await sql`
    insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
    select organization_id, affiliate_id, currency, id, 'earned', commission_minor, cause
    from commissions where organization_id = ${organization_id} and cause = 'bench'`;
  await sql`
    insert into balances (organization_id, affiliate_id, currency, earned_minor, unpaid_minor)
    select organization_id, affiliate_id, currency, sum(commission_minor), sum(commission_minor)
    from commissions where organization_id = ${organization_id} and cause = 'bench'
    group by organization_id, affiliate_id, currency`;
}
