import type { Program } from "./program.ts";

type Row = Record<string, unknown>;

/** The outcome of a history, without values that differ between organizations. */
export interface Outcome {
  decisions: Row[];
  commissions: Row[];
  referrals: Row[];
  balances: Row[];
}

/**
 * Reads the outcome of a history. Omits commissions that a later report voided: in another order of the reports, they were
 * never created.
 */
export async function outcomeOf(program: Program): Promise<Outcome> {
  const [decisions, commissions, referrals, balances] = await Promise.all([
    decisionsOf(program),
    commissionsOf(program),
    referralsOf(program),
    balancesOf(program),
  ]);
  return { decisions, commissions, referrals, balances };
}

async function decisionsOf(program: Program): Promise<Row[]> {
  const { context, organization_id } = program;
  const rows = await context.database`
    select payment_id as payment, outcome, affiliate_id, currency, revenue_minor::text, commission_minor::text,
      paid_minor::text, reversed_minor::text
    from payment_decisions where organization_id = ${organization_id} and replaced_at is null order by payment_id`;
  return numbered(rows, program);
}

async function commissionsOf(program: Program): Promise<Row[]> {
  const { context, organization_id } = program;
  const rows = await context.database`
    select commission.processor_payment_id as payment, commission.affiliate_id, commission.revenue_minor::text,
      commission.commission_minor::text, commission.currency, commission.payout_status,
      commission.referral_date, lower(referral.email) as referral
    from commission_states commission
    join referrals referral on referral.organization_id = commission.organization_id
      and referral.id = commission.referral_id
    join payment_decisions decision on decision.organization_id = commission.organization_id
      and decision.commission_id = commission.id
    where commission.organization_id = ${organization_id}
      and (decision.outcome = 'commission' or not commission.voided)
    order by commission.processor_payment_id`;
  return numbered(rows, program);
}

async function referralsOf(program: Program): Promise<Row[]> {
  const { context, organization_id } = program;
  const rows = await context.database`
    select lower(email) as email, affiliate_id, subscription_status, processor_customer_id as customer
    from referrals where organization_id = ${organization_id} and replaced_at is null order by lower(email)`;
  return numbered(rows, program);
}

async function balancesOf(program: Program): Promise<Row[]> {
  const { context, organization_id } = program;
  const rows = await context.database`
    select affiliate_id, currency, sum(commission_minor)::text as balance
    from commissions where organization_id = ${organization_id} and not voided
    group by affiliate_id, currency having sum(commission_minor) <> 0 order by currency, affiliate_id`;
  // Ids ascend like the affiliates' numbers.
  return numbered(rows, program);
}

/**
 * The net commission per affiliate and payment, whether paid out or not. A paid commission keeps the payment id of its charge,
 * even if the charge turns out to belong to an invoice, so this uses the payment of the decision.
 */
export async function sumsOf(program: Program): Promise<Row[]> {
  const { context, organization_id } = program;
  const rows = await context.database`
    select coalesce(decision.payment_id, commission.processor_payment_id) as payment, commission.affiliate_id,
      commission.currency, sum(commission.revenue_minor)::text as revenue,
      sum(commission.commission_minor)::text as commission
    from commissions commission
    left join payment_decisions decision on decision.organization_id = commission.organization_id
      and decision.commission_id = coalesce(commission.reversal_of, commission.id)
      and decision.replaced_at is null
    where commission.organization_id = ${organization_id} and not commission.voided
    group by 1, commission.affiliate_id, commission.currency
    having sum(commission.commission_minor) <> 0 or sum(commission.revenue_minor) <> 0
    order by 1, commission.affiliate_id`;
  return numbered(rows, program);
}

/** Replaces the affiliate's id by its number in the history. */
function numbered(rows: readonly Row[], { affiliate_ids }: Program): Row[] {
  return rows.map(({ affiliate_id, ...row }) => ({
    ...row,
    affiliate: affiliate_id === null ? null : affiliate_ids.indexOf(String(affiliate_id)),
  }));
}

/** Commissions and referrals without exactly one event, and events without a commission or referral. */
export async function eventMismatches({ context, organization_id }: Program): Promise<Row[]> {
  return await context.database`
    with reported as (
      select type, body::json -> 'data' ->> 'id' as id, count(*)::int as times from events
      where organization_id = ${organization_id} and type like any (array['referral.%', 'commission.%'])
      group by 1, 2
    ),
    expected as (
      select 'commission.created' as type, id::text from commissions
      where organization_id = ${organization_id} and reversal_of is null
      union all
      select 'referral.created', id::text from referrals where organization_id = ${organization_id}
      union all
      select 'referral.converted', id::text from referrals referral
      where organization_id = ${organization_id} and exists (
        select from commissions
        where organization_id = ${organization_id} and referral_id = referral.id and not voided)
    )
    select coalesce(expected.type, reported.type) as type, coalesce(expected.id, reported.id) as id,
      coalesce(reported.times, 0) as times, expected.id is not null as is_expected
    from expected full join reported on reported.type = expected.type and reported.id = expected.id
    where reported.times is distinct from 1
      or (expected.id is null and (reported.type <> 'referral.converted'))`;
}
