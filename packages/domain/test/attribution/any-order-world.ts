/*
 * Organizations with reports of the same facts in different orders, and the results that must be the same in
 * them.
 */
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import type { TiersInput } from "@findersfee/contract/campaigns/tiers";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { insertAffiliateTier } from "@findersfee/database/tiers/changes";
import { expect } from "vitest";
import { setAffiliateRules } from "../../src/affiliates/rules.ts";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { IncomingFact } from "../../src/attribution/record-facts.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import type { Context } from "../../src/context.ts";
import { verifyLedger } from "../../src/ledger/verify.ts";
import { movePayouts } from "../../src/payouts/move.ts";
import { onDay } from "../dates.ts";
import { makeContext } from "../subscriber.ts";
import { addClicks, addRecords, addRefunds, addSignUps, NETWORK } from "./any-order-evidence.ts";
import { type Bring, CLICK_DAYS, PARTNERS, type Story, withSingleEmail } from "./customer-stories.ts";
import { addAffiliate, addPartner, apply, click, type Partner } from "./program.ts";
import { type RecordedAct, recordedActs } from "./recorded-acts.ts";
import { second } from "./reported.ts";
import { fixed, NOTHING, percent, rule } from "./rules.ts";

const DAY = 24 * 60 * 60;

/** The findings of `verify ledger`. */
export async function faults({ database, organization }: Context): Promise<object[]> {
  return (await verifyLedger(database, organization.id)).filter(({ rows }) => rows.length > 0);
}

export interface World {
  context: CreationContext;
  affiliates: string[];
  /** The recruiters of some affiliates; each gets a percentage of their commissions. */
  recruiters: string[];
  bring: Bring;
}

/** Those of every second partner. */
const RECRUITING = [{ percent: 12.5, months: 120 }, null, { percent: 7.7777, months: 120 }, null];

/** The partner that has rules of its own. */
const OWN_RULES = 3;

/** From the thirtieth day on, and others from the sixtieth. */
async function setOwnRules(context: Context, affiliate_id: string): Promise<void> {
  const affiliate_ids = [affiliate_id];
  const own = { affiliate_ids, note: null };
  await setAffiliateRules(context, {
    ...own,
    starts_at: second(30 * DAY).toISOString(),
    rules: [rule({ countries: ["DE"] }, percent(44)), rule({ currencies: ["EUR"] }, fixed({ EUR: 9 }))],
  });
  await setAffiliateRules(context, {
    ...own,
    starts_at: second(60 * DAY).toISOString(),
    rules: [rule({ metadata: { key: "plan", values: ["pro"] } }, percent(10))],
  });
}

/** The partner with a tag that rules ask for. */
const TAGGED = 1;

/** The partner of a campaign with tiers, and the ids of the tiers. */
export const TIERED = 0;
export const SILVER = "00000000-0000-4000-8000-000000000001";
export const GOLD = "00000000-0000-4000-8000-000000000002";

const TIERS: TiersInput = {
  measure: "customers",
  period: "month",
  steps: [
    { id: SILVER, name: "Silver", from: 1, commission: percent(33), bonus: null },
    { id: GOLD, name: "Gold", from: 2, commission: fixed({ USD: 11 }), bonus: null },
  ],
};

/** Its tiers change on some days, and it loses them between. */
async function setTiers({ database, organization }: Context, of: Partner): Promise<void> {
  const changes = [
    { day: 10, tier_id: SILVER, tier_name: "Silver" },
    { day: 31, tier_id: null, tier_name: null },
    { day: 45, tier_id: GOLD, tier_name: "Gold" },
    { day: 90, tier_id: SILVER, tier_name: "Silver" },
  ];
  await transaction(database, async (sql) => {
    for (const { day, ...change } of changes) {
      const since = second(day * DAY);
      const measured = { measure: "customers", number: 2n, measured_on: onDay(0) } as const;
      await insertAffiliateTier(sql, organization.id, { ...of, since, ...change, ...measured });
    }
  });
}

/** The partners with evidence of fraud. */
const RECORDED = 0;
const RECORDED_EMAIL = "seller@partners.test";
const CLICKED_OFTEN = 1;
const SIGNED_UP_OFTEN = 2;
const REFUNDED = 3;

/** The properties that clicks share with those of cheaters. */
const CLICKED = {
  0: { network_hash: NETWORK },
  20: { landing_url: "https://shop.test/?gclid=1" },
  60: { referrer: "https://www.coupons.test/" },
} satisfies Record<(typeof CLICK_DAYS)[number], object>;

/** An organization with a partner for each kind of rule. */
export async function makeWorld(database: Database): Promise<World> {
  const context = await makeContext(database);
  const signals = { ...NO_SIGNALS, referrers: ["coupons.test"] };
  const rules = [
    {
      signals: { ...signals, paid_search: "flag", shared_network: "flag", shared_card: "hold" },
      review: "flagged",
      lead_commissions: [
        { kind: "signup", amount: 3, daily_limit: null },
        { kind: "trial", amount: 4, daily_limit: null },
      ],
      first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
      limit_type: "payments",
      limit_amount: 2,
      tiers: TIERS,
      rules: [rule({ tiers: [SILVER], payments: { from: 2 } }, percent(21))],
    },
    {
      signals: { ...signals, many_clicks: "hold" },
      review_above_amount: 15,
      lead_commissions: [{ kind: "trial", amount: 6, daily_limit: null }],
      limit_type: "months",
      limit_amount: 1,
      customers: "any",
      attribution: "first_click",
      rules: [
        rule({ intervals: ["year"], payments: { to: 1 } }, percent(60)),
        rule({ countries: ["US"], products: ["prod_a"] }, fixed({ USD: 5, EUR: 4 })),
        rule({ metadata: { key: "plan", values: ["basic"] } }, NOTHING),
        rule({ tags: ["agency", "vip"], payments: { from: 3 } }, percent(37)),
        rule({ tags: ["vip"] }, NOTHING),
        rule({ promo_codes: ["promo_1"], amount: { currency: "USD", from: 40 } }, percent(35)),
      ],
    },
    {
      signals: { ...signals, listed_referrer: "refuse", many_signups: "flag" },
      lead_commissions: [{ kind: "signup", amount: 5, daily_limit: null }],
      commission_type: "fixed",
      commission_amount: 7,
      customers: "new",
      skip_prorations: true,
      rules: [rule({ payments: { from: 2 }, months: { to: 1 } }, percent(3))],
    },
    {
      // Signals for customers' domains, too.
      signals: { ...signals, shared_domain: "hold", many_refunds: "flag" },
      review: "all",
      custom_commission_type: "product",
      custom_commissions: [{ product_id: "prod_a", type: "percentage", amount: 12.5 }],
    },
  ];
  expect(rules).toHaveLength(PARTNERS);
  const affiliates: string[] = [];
  const recruiters: string[] = [];
  const clicks = new Map<string, string>();
  for (const [number, rule] of rules.entries()) {
    const mode = { code_mode: "both", reference_coupon: "coupon" } as const;
    const recruiting = RECRUITING[number] ?? null;
    const own = {
      promo_code: `PARTNER${number}`,
      tags: number === TAGGED ? ["agency"] : [],
      // The last one of them may be a customer, too, and the first one is one.
      ...(number === PARTNERS - 1 ? { email: "buyer2@customers.test" } : {}),
      ...(number === RECORDED ? { payout_email: RECORDED_EMAIL } : {}),
    };
    const fields = { ...mode, ...rule, recruiting } as never;
    const partner = await addPartner(
      context,
      fields,
      recruiting === null ? own : { promo_code: `RECRUITER${number}` },
    );
    if (recruiting !== null) {
      const { campaign_id, affiliate_id: recruited_by } = partner;
      recruiters.push(recruited_by);
      partner.affiliate_id = await addAffiliate(context, { campaign_id, recruited_by, ...own });
    }
    const { affiliate_id } = partner;
    affiliates.push(affiliate_id);
    if (number === TIERED) await setTiers(context, partner);
    if (number === OWN_RULES) await setOwnRules(context, affiliate_id);
    for (const day of CLICK_DAYS) {
      const at = second(day * DAY + number);
      clicks.set(`${number} ${day}`, await click(context, { affiliate_id, at, ...CLICKED[day] }));
    }
    if (number === RECORDED) await addRecords(context, { ...partner, email: RECORDED_EMAIL, at: second(0) });
    if (number === CLICKED_OFTEN) await addClicks(context, affiliate_id, second(20 * DAY + number));
    if (number === SIGNED_UP_OFTEN) await addSignUps(context, affiliate_id);
    if (number === REFUNDED) await addRefunds(context, affiliate_id);
    await context.database`
      update affiliate_codes set external_id = ${`promo_${number}`}
      where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id} and kind = 'promo'`;
  }
  return {
    context,
    affiliates,
    recruiters,
    bring: ({ partner, by, clicked_on }) =>
      by === "click"
        ? { click_ids: [clicks.get(`${partner} ${clicked_on}`) ?? ""] }
        : { external_id: `promo_${partner}` },
  };
}

/**
 * The result, with partners by their numbers. It leaves out replaced decisions, voided commissions of payments that
 * earn nothing, and with any outcome, leads that the campaign does not pay for, sign-ups of credited customers and
 * trials before the referral: whether these are recorded depends on what was known first.
 */
export async function resultOf({ context: { database, organization }, affiliates, recruiters }: World) {
  const people = [...affiliates, ...recruiters];
  const decisions = await database`
    select payment_id, outcome, affiliate_id, commission_minor::text, reversed_minor::text,
      explanation #>> '{override,id}' as override_id, array(
        select (found ->> 'signal') || ' ' || (found ->> 'action')
        from json_array_elements(explanation -> 'signals') as found
      ) as signals
    from payment_decisions
    where organization_id = ${organization.id} and replaced_at is null and payment_id not like 'known%'
    order by payment_id`;
  const commissions = await database`
    select commission.processor_payment_id, commission.affiliate_id, commission.revenue_minor::text,
      commission.commission_minor::text, commission.currency, commission.payout_status, commission.referral_date,
      array(
        select because from commission_reviews review, unnest(review.reasons) as because
        where review.organization_id = commission.organization_id and review.commission_id = commission.id
          and commission.review_state = 'pending' and not commission.voided
        order by because
      ) as in_review
    from commission_states commission
    join payment_decisions decision on decision.organization_id = commission.organization_id
      and decision.commission_id = commission.id
    where commission.organization_id = ${organization.id}
      and (decision.outcome = 'commission' and decision.replaced_at is null or commission.payout_status <> 'voided')
    order by commission.processor_payment_id`;
  const leads = await database`
    select lead.affiliate_id, lead.kind, lead.outcome, lead.occurred_at,
      (select sum(part.commission_minor) from commissions part
        where part.organization_id = lead.organization_id and not part.voided
          and lead.commission_id in (part.id, part.reversal_of))::text as minor
    from leads lead
    join referrals on referrals.organization_id = lead.organization_id and referrals.id = lead.referral_id
    where lead.organization_id = ${organization.id} and referrals.replaced_at is null
      and referrals.email not like 'known%' and not exists (
        select from jsonb_to_recordset(lead.terms) as terms (affiliate_id uuid, amount_minor text)
        where terms.amount_minor is null and terms.affiliate_id in (
          lead.affiliate_id,
          case lead.kind when 'signup' then coalesce(referrals.moved_from, referrals.affiliate_id) end))
      and not (lead.kind = 'signup' and coalesce(referrals.attributed_by, '') like 'organization:%')
      and not (lead.kind = 'trial' and lead.occurred_at < least(referrals.attributed_at, referrals.signup_date))
    order by lead.kind, lead.occurred_at, lower(referrals.email)`;
  const referrals = await database`
    select affiliate_id, subscription_status, signup_date
    from referrals where organization_id = ${organization.id} and replaced_at is null and email not like 'known%'
    order by signup_date, lower(email)`;
  const balances = await database`
    select affiliate_id, currency, sum(commission_minor)::text as due
    from commissions where organization_id = ${organization.id} and not voided
    group by affiliate_id, currency order by currency, due`;
  const lookups = await database`
    select kind, subject, purpose, object_id from processor_lookups
    where organization_id = ${organization.id} order by kind, subject`;
  const numbered = (rows: readonly object[]) =>
    rows.map((row) => ({
      ...row,
      affiliate_id: "affiliate_id" in row ? people.indexOf(String(row.affiliate_id)) : null,
    }));
  return {
    lookups,
    decisions: numbered(decisions),
    commissions: numbered(commissions),
    leads: numbered(leads),
    referrals: numbered(referrals),
    balances: numbered(balances).sort((a, b) => (a.affiliate_id ?? 0) - (b.affiliate_id ?? 0)),
  };
}

/** Each affiliate's earnings on balance, without affiliates that earned nothing. */
export function earned({ balances }: { balances: { affiliate_id: number | null }[] }): Sums {
  const sums: Sums = {};
  for (const { affiliate_id, ...balance } of balances as Balance[])
    addTo(sums, { [`${affiliate_id} ${balance.currency}`]: BigInt(balance.due) });
  return withoutZeros(sums);
}

/** Minor units by affiliate and currency. */
export type Sums = Record<string, bigint>;

export function addTo(sums: Sums, added: Sums): Sums {
  for (const [name, minor] of Object.entries(added)) sums[name] = (sums[name] ?? 0n) + minor;
  return sums;
}

export function withoutZeros(sums: Sums): Sums {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}

/** Each affiliate's amounts in the ledger: unpaid, in payouts, and paid. */
export async function balancesOf(world: World): Promise<Sums> {
  const { database, organization } = world.context;
  const people = [...world.affiliates, ...world.recruiters];
  const rows = await database<{ affiliate_id: string; currency: string; minor: bigint }[]>`
    select affiliate_id, currency, unpaid_minor + in_payout_minor + paid_minor as minor
    from balances where organization_id = ${organization.id}`;
  const named = rows.map((row) => [`${people.indexOf(row.affiliate_id)} ${row.currency}`, row.minor]);
  return withoutZeros(Object.fromEntries(named));
}

/** Cancels an open payout, or takes a paid one back that was returned. */
export async function releaseOne(context: Context, chosen: number): Promise<void> {
  const { database, organization } = context;
  const payouts = await database<{ id: string; status: string }[]>`
    select id, status from payouts
    where organization_id = ${organization.id} and status in ('pending', 'paid')
    order by run_id, affiliate_id, currency`;
  const payout = payouts[chosen % payouts.length];
  if (payout === undefined) return;
  const status = payout.status === "paid" ? "failed" : "canceled";
  await movePayouts(context, { ids: [payout.id], status } as never);
}

interface Balance {
  affiliate_id: number;
  currency: string;
  due: string;
}

/** Commissions and referrals without exactly one event. */
export async function misannounced({ context: { database, organization } }: World) {
  return await database`
    with announced as (
      select type, body::json -> 'data' ->> 'id' as id, count(*)::int as times from events
      where organization_id = ${organization.id} group by 1, 2
    )
    select * from announced where times > 1
    union all select 'commission.created', id::text, 0 from commissions
    where organization_id = ${organization.id} and reversal_of is null
      and id::text not in (select id from announced where type = 'commission.created')
    union all select 'referral.converted', id::text, 0 from referrals
    where organization_id = ${organization.id} and converted_at is not null
      and id::text not in (select id from announced where type = 'referral.converted')`;
}

export interface Reporting {
  story: Story;
  processor: "stripe" | "generic";
  /** On which single report each customer's email is; null: on those that the story says. */
  emails: number[] | null;
  acts?: readonly RecordedAct[];
}

/** The story's events as messages, and people's acts; an event has the same message in every order. */
export function messagesOf(
  { story, processor, emails, acts = [] }: Reporting,
  { bring, affiliates }: World,
): IncomingFact[] {
  const reported = story(bring);
  const facts = emails === null ? reported : withSingleEmail(reported, emails);
  const messages = facts.map(
    (fact: PaymentFact, index): IncomingFact => ({
      processor: fact.kind === "signup" ? "tracking" : processor,
      message_id: `evt_${String(index).padStart(4, "0")}`,
      fact,
    }),
  );
  return [...messages, ...recordedActs(acts, { facts: reported, affiliates, processor })];
}

/** Messages in the order of these keys. */
export function inOrder(messages: readonly IncomingFact[], order: readonly number[]): IncomingFact[] {
  return messages
    .map((message, index) => ({ message, key: order[index % order.length] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ message }) => message);
}

/** Reports messages in batches of these sizes. */
export async function applyInBatches(
  { context }: World,
  messages: readonly IncomingFact[],
  sizes: readonly number[],
): Promise<void> {
  for (let from = 0, step = 0; from < messages.length; step++) {
    const size = sizes[step % sizes.length] ?? 1;
    await apply(context, messages.slice(from, from + size));
    from += size;
  }
}
