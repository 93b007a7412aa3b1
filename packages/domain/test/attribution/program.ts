import { transaction } from "@findersfee/database/postgres/connect";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { createAffiliate } from "../../src/affiliates/create.ts";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import { type IncomingFact, recordFacts } from "../../src/attribution/record-facts.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { payDue, settlePayouts } from "../postings.ts";

export type CampaignFields = Parameters<typeof createCampaign>[1];

const CAMPAIGN: CampaignFields = {
  name: "Partners",
  website_url: "https://shop.test",
  commission_type: "percentage",
  commission_amount: 30,
  code_mode: "link",
  is_default: false,
} as CampaignFields;

export interface Partner {
  campaign_id: string;
  affiliate_id: string;
}

/** A campaign with one affiliate in it. */
export async function addPartner(
  context: Context,
  fields: Partial<CampaignFields> = {},
  affiliate: Partial<Parameters<typeof createAffiliate>[1]> = {},
): Promise<Partner> {
  const campaign = await createCampaign(context, { ...CAMPAIGN, ...fields });
  return {
    campaign_id: campaign.id,
    affiliate_id: await addAffiliate(context, { campaign_id: campaign.id, ...affiliate }),
  };
}

let partners = 0;

export async function addAffiliate(
  context: Context,
  fields: Partial<Parameters<typeof createAffiliate>[1]>,
): Promise<string> {
  partners += 1;
  const email = `partner${partners}@partners.test`;
  return (await createAffiliate(context, { email, ...fields })).id;
}

/** A click of an affiliate's link. */
export async function click(
  { database, organization }: Context,
  {
    at,
    affiliate_id,
    sub_id = null,
    landing_url = null,
    referrer = null,
    network_hash = null,
  }: { affiliate_id: string; at: Date } & Partial<
    Pick<ClickRow, "sub_id" | "landing_url" | "referrer" | "network_hash">
  >,
): Promise<string> {
  const id = newId(at);
  const month = at.toISOString().slice(0, 7);
  const next = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString();
  await database
    .unsafe(
      `create table if not exists clicks_of_test_${month.replace("-", "_")} partition of clicks
       for values from ('${month}-01T00:00:00Z') to ('${next}')`,
    )
    .catch(() => {});
  await database`
    insert into clicks ${database({
      organization_id: organization.id,
      id,
      code: "code",
      visitor_hash: Buffer.alloc(32),
      network_hash: network_hash === null ? null : Buffer.from(network_hash, "hex"),
      affiliate_id,
      sub_id,
      landing_url,
      referrer,
      clicked_at: at,
    })}`;
  return id;
}

let messages = 0;

/** Reports facts, all of them in one transaction. */
export async function report({ database, organization }: Context, ...facts: PaymentFact[]): Promise<void> {
  const reported = facts.map((fact): IncomingFact => {
    messages += 1;
    return { processor: sourceOf(fact), message_id: `evt_${messages}`, fact };
  });
  await apply({ database, organization }, reported);
}

/** Pages report sign-ups, and Stripe everything else. */
export function sourceOf({ kind }: PaymentFact): IncomingFact["processor"] {
  return kind === "signup" ? "tracking" : "stripe";
}

export async function apply(
  { database, organization }: Pick<Context, "database" | "organization">,
  reported: readonly IncomingFact[],
): Promise<void> {
  await transaction(database, (sql) => recordFacts(sql, organization, reported));
}

/** The organization's commissions by payment, the oldest first. */
export async function commissions({ database, organization }: Context) {
  return await database<
    {
      processor_payment_id: string;
      affiliate_id: string;
      revenue_minor: bigint;
      commission_minor: bigint;
      payout_status: string;
      is_reversal: boolean;
    }[]
  >`
    select processor_payment_id, affiliate_id, revenue_minor, commission_minor, payout_status,
      reversal_of is not null as is_reversal
    from commission_states where organization_id = ${organization.id}
    order by referral_date, processor_payment_id, reversal_of is not null, id`;
}

/** Outcomes by payment. */
export async function outcomes({ database, organization }: Context): Promise<Record<string, string>> {
  const rows = await database<{ payment_id: string; outcome: string }[]>`
    select payment_id, outcome from payment_decisions where organization_id = ${organization.id}`;
  return Object.fromEntries(rows.map(({ payment_id, outcome }) => [payment_id, outcome]));
}

export async function referrals({ database, organization }: Context) {
  return await database<
    {
      id: string;
      email: string;
      affiliate_id: string;
      superseded: boolean;
      processor_customer_id: string | null;
      subscription_status: string;
      converted: boolean;
    }[]
  >`
    select id, email, affiliate_id, processor_customer_id, subscription_status,
      converted_at is not null as converted, replaced_at is not null as superseded
    from referrals where organization_id = ${organization.id} order by email`;
}

export async function eventTypes({ database, organization }: Context): Promise<string[]> {
  const rows = await database<{ type: string }[]>`
    select type from events where organization_id = ${organization.id} order by id`;
  return rows.map(({ type }) => type).filter((type) => !type.startsWith("affiliate."));
}

/** Puts all unpaid commissions, held or not, into payouts of their affiliates. */
export async function payOut(
  { database, organization }: Context,
  status: "pending" | "paid" = "paid",
): Promise<void> {
  const made_at = new Date();
  const run_id = newId(made_at);
  await database`
    insert into payout_runs (organization_id, id, period, cutoff_at, currency, method,
      started_by, created_at, finished_at, due_at)
    select ${organization.id}, ${run_id}, to_char(date '2000-01-01' + count(*) * interval '1 month', 'YYYY-MM'),
      now() + interval '100 years', 'USD', 'manual', 'test', now(), now(), null
    from payout_runs where organization_id = ${organization.id}`;
  await transaction(database, async (sql) => {
    await payDue(sql, organization.id, { run_id });
    if (status === "paid") await settlePayouts(sql, organization.id, { status });
  });
}

/** The amounts that affiliates are owed or were paid, in minor units. */
export async function balanceOf(context: Context): Promise<bigint> {
  const rows = (await commissions(context)).filter(({ payout_status }) => payout_status !== "voided");
  return rows.reduce((sum, { commission_minor }) => sum + commission_minor, 0n);
}

/** The rows of passed affiliates that the explanations of the decisions do not have, and those that are missing. */
export async function wrongPassed({ database, organization }: Context): Promise<object[]> {
  return await database`
    with expected as (
      select distinct (candidate ->> 'affiliate_id')::uuid as affiliate_id, decision.paid_at, decision.id as decision_id
      from payment_decisions decision
      cross join json_array_elements(decision.explanation -> 'candidates') as candidate
      where decision.organization_id = ${organization.id} and decision.replaced_at is null
        and (candidate ->> 'affiliate_id')::uuid <> coalesce(decision.affiliate_id, decision.id)
    ),
    stored as (
      select affiliate_id, paid_at, decision_id from passed_affiliates where organization_id = ${organization.id}
    )
    (select 'missing' as fault, * from (select * from expected except select * from stored) as missing)
    union all (select 'left', * from (select * from stored except select * from expected) as superfluous)`;
}
