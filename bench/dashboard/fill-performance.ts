/* Clicks, customers and commissions of two years with sources, as if the service had recorded them one by one. */
import { empty_profile } from "@findersfee/contract/affiliates/fields";
import { insertAffiliate } from "@findersfee/database/affiliates/affiliates";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import { newId } from "@findersfee/domain/ids";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { contextOf } from "../program.ts";

export interface PerformanceProgram {
  organization_id: string;
  campaign_ids: string[];
  /** The first one has a tenth of everything. */
  affiliate_ids: string[];
}

interface Sizes {
  affiliates: number;
  clicks: number;
  commissions: number;
}

const MONTHS = 24;
const CAMPAIGNS = ["Partners", "Creators", "Agencies"];
const LANDING_PAGES = 300;
const REFERRERS = 200;
const SUB_IDS = 2_000;
const COUNTRIES = 40;

/** SQL: one of `of` numbers, the same for each `number`. */
const one = (of: number, seed: number) =>
  `(hashint8(number + ${seed}::bigint << 32)::bigint & 2147483647) % ${of}`;

const SOURCE = `
  'https://example.com/page-' || ${one(LANDING_PAGES, 1)} as landing_url,
  'https://referrer-' || ${one(REFERRERS, 2)} || '.example.org/' as referrer,
  'sub-' || ${one(SUB_IDS, 3)} as sub_id,
  chr((65 + ${one(COUNTRIES, 4)} / 26)::int) || chr((65 + ${one(COUNTRIES, 4)} % 26)::int) as country`;

const ID = `(lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7000' || '8' || left(md5(number::text), 15))::uuid`;

/** Fills an empty organization. */
export async function fillPerformance(
  database: Database,
  { affiliates, clicks, commissions }: Sizes,
): Promise<PerformanceProgram> {
  const { organization_id } = await createOrganization(database, {
    name: "Bench",
    currency: "USD",
    subscription_status: "active",
  });
  const context = contextOf(database, organization_id);
  const campaign_ids: string[] = [];
  for (const name of CAMPAIGNS) {
    const { id } = await createCampaign(context, {
      name,
      commission_type: "percentage",
      commission_amount: 30,
      code_mode: "link",
      website_url: "https://example.com",
      is_default: campaign_ids.length === 0,
    });
    campaign_ids.push(id);
  }
  const until = new Date();
  const from = new Date(Date.UTC(until.getUTCFullYear(), until.getUTCMonth() - MONTHS, until.getUTCDate()));
  for (let month = 0; month <= MONTHS; month++) {
    const now = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month, 1));
    await makePartitions(database, CLICKS, { ahead: 0, now });
  }
  const affiliate_ids = Array.from({ length: affiliates }, () => newId(from));
  const referrals = commissions / 5;
  const ids = `'{${affiliate_ids.join(",")}}'::uuid[]`;
  const of_affiliate = `case when ${one(10, 5)} = 0 then 1 else 2 + ${one(affiliates - 1, 6)} end`;
  const spread = (rows: number) => `
    select number, '${from.toISOString()}'::timestamptz
      + number * interval '${(until.getTime() - from.getTime()) / rows} milliseconds' as at
    from generate_series(0::bigint, ${rows - 1}) as number`;
  await transaction(database, async (sql) => {
    await sql`set local session_replication_role = replica`;
    await Promise.all(
      affiliate_ids.map((id, number) =>
        insertAffiliate(sql, organization_id, {
          id,
          campaign_id: campaign_ids[number % campaign_ids.length] ?? "",
          ...empty_profile,
          email: `affiliate-${number}@example.com`,
          first_name: "Jane",
          last_name: `Doe ${number}`,
          approved: true,
          banned: false,
          new_paid_referral_notifications: true,
          tags: [],
          created_at: from,
        }),
      ),
    );
    await sql.unsafe(`
      insert into clicks (organization_id, id, affiliate_id, code, visitor_hash, clicked_at, landing_url, referrer, sub_id, country)
      select '${organization_id}', ${ID}, (${ids})[affiliate], 'jane-' || affiliate, decode(md5(number::text), 'hex'), at,
        landing_url, referrer, sub_id, country
      from (select number, date_trunc('milliseconds', at) as at, ${of_affiliate} as affiliate, ${SOURCE}
        from (${spread(clicks)}) as counted) as click`);
    await sql.unsafe(`
      insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, converted_at, created_at,
        link_code, landing_url, referrer, sub_id, visitor_country, customer_country)
      select '${organization_id}', ${ID}, (${ids})[affiliate], 'customer-' || number || '@example.com', 'active', at, at, at,
        'jane-' || affiliate, landing_url, referrer, sub_id, country, country
      from (select number, date_trunc('milliseconds', at) as at, ${of_affiliate} as affiliate, ${SOURCE}
        from (${spread(referrals)}) as counted) as referral`);
    await sql.unsafe(`
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor, currency,
        referral_date, processor_payment_id, created_at, payable_at, cause)
      select '${organization_id}', ${ID}, referral.affiliate_id, referral.id, 10000, 3000, 'USD', at, 'pi_' || number, at, at,
        'bench'
      from (select number, date_trunc('milliseconds', at) as at from (${spread(commissions)}) as counted) as commission
      join (select row_number() over (order by id) - 1 as place, id, affiliate_id from referrals
        where organization_id = '${organization_id}') as referral on place = ${one(referrals, 7)}`);
    // Otherwise most sub-ids would be others for some months.
    await sql.unsafe(`
      insert into total_values (organization_id, dimension, value, since)
      select '${organization_id}', 'sub_id', 'sub-' || number, '-infinity' from generate_series(0, ${SUB_IDS - 1}) as number`);
  });
  await database`vacuum (analyze)`;
  return { organization_id, campaign_ids, affiliate_ids };
}
