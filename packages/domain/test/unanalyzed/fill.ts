import { withoutTriggers } from "@findersfee/database/testing";
import type { Context } from "../../src/context.ts";

/** The tables that are filled. */
const TABLES = [
  "affiliates",
  "affiliate_texts",
  "customer_texts",
  "affiliate_codes",
  "balances",
  "referrals",
  "commissions",
  "unpaid_commissions",
  "payouts",
  "payout_commissions",
];

/**
 * Adds affiliates to a campaign, each with a code, a referral, a commission, and half of them with a payout. Postgres has no
 * statistics of them, as in the first minute after an import, and makes none.
 */
export async function fillUnanalyzed(
  { database, organization }: Context,
  { campaign_id, count }: { campaign_id: string; count: number },
): Promise<void> {
  for (const table of TABLES) await database.unsafe(`alter table ${table} set (autovacuum_enabled = false)`);
  const id = database`first_id_of(timestamptz '2026-01-01' + number * interval '1 minute')`;
  const each = database`from generate_series(1, ${count}::int) as number`;
  await withoutTriggers(database, async (sql) => {
    await sql`
      insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved, banned,
        new_paid_referral_notifications, created_at)
      select ${organization.id}, ${id}, ${campaign_id}, 'many' || number || '@example.com', 'Jane', 'Roe ' || number,
        true, number % 100 = 0, true, now() ${each}`;
    await sql`
      insert into affiliate_texts (organization_id, affiliate_id, texts)
      select ${organization.id}, ${id}, 'jane roe ' || number || E'\nmany' || number || E'@example.com\ncode' || number ${each}`;
    await sql`
      insert into customer_texts (organization_id, referral_id, email)
      select ${organization.id}, ${id}, 'many' || number || '@customers.test' ${each}`;
    await sql`
      insert into affiliate_codes (organization_id, id, affiliate_id, kind, code, created_at)
      select ${organization.id}, ${id}, ${id}, 'link', 'code' || number, now() ${each}`;
    await sql`
      insert into balances (organization_id, affiliate_id, currency, earned_minor, unpaid_minor)
      select ${organization.id}, ${id}, 'USD', number, number ${each}`;
    await sql`
      insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
      select ${organization.id}, ${id}, ${id}, 'many' || number || '@customers.test',
        case when number % 2 = 0 then 'past_due' else 'active' end, date_trunc('milliseconds', now()), now() ${each}`;
    await sql`
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency,
        referral_date, payable_at, processor_payment_id, cause, created_at)
      select ${organization.id}, ${id}, ${id}, ${id}, 100, 10, 'USD', date_trunc('milliseconds', now()), now(), 'many' || number, 'test', now()
      ${each}`;
    await sql`
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, amount_minor, currency, period,
        payment_count, status, method, status_at, status_by, created_at)
      select ${organization.id}, ${id}, ${id}, 'Jane Roe', 10, 'USD', '2026-01', 1,
        case when number % 100 = 1 then 'failed' else 'paid' end, 'manual', now(), 'test', now() ${each}
      where number % 2 = 1`;
    await sql`
      insert into payout_commissions (organization_id, affiliate_id, commission_id, payout_id)
      select ${organization.id}, ${id}, ${id}, ${id} ${each} where number % 2 = 1`;
    await sql`
      insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor, due_at)
      select ${organization.id}, ${id}, ${id}, 'USD', 10, now() ${each} where number % 2 = 0`;
  });
}
