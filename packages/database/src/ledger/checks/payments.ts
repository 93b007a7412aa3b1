import { processorNames } from "@findersfee/contract/processors/processors";
import { type LedgerCheck, ofAsked } from "./check.ts";

/* Rules about payments: one commission for all names of a payment, reduced by its refunds, for its customer's affiliate. */

/** SQL: the rest of a commission with its corrections. A correction that a person voided counts as valid. */
function leftOf(organization_id: string, commission_id: string): string {
  return `(
    select least(coalesce(sum(commission_minor) filter (where not voided), 0),
      coalesce(sum(commission_minor) filter (where not voided or reversal_of is not null), 0))
    from (
      select commission_minor, voided, reversal_of from commissions
      where organization_id = ${organization_id} and id = ${commission_id}
      union all
      select commission_minor, voided, reversal_of from commissions
      where organization_id = ${organization_id} and reversal_of = ${commission_id}
    ) as part)`;
}

const PAYMENT_NAME: LedgerCheck = {
  name: "payment_name",
  rule: "The commission that has a payment's name exists and corrects no other commission.",
  level: "damage",
  text: `
    select organization_id, 'payment ' || name as subject,
      format('there is no commission %s, or it corrects another one', commission_id) as finding
    from payment_names named
    where ${ofAsked("named")} and not exists (
      select from commissions commission
      where commission.organization_id = named.organization_id and commission.id = named.commission_id
        and reversal_of is null)`,
};

const COMMISSION_NAME: LedgerCheck = {
  name: "commission_name",
  rule: "A commission has the name of the payment that it shows, unless it is void.",
  level: "damage",
  text: `
    select commission.organization_id, 'commission ' || commission.id as subject,
      format('%s belongs to %s', processor_payment_id, coalesce('commission ' || named.commission_id, 'none'))
        as finding
    from commissions commission
    left join payment_names named
      on named.organization_id = commission.organization_id and named.name = processor_payment_id
    where processor_payment_id is not null and reversal_of is null and not voided and ${ofAsked("commission")}
      and named.commission_id is distinct from commission.id
      and ${leftOf("commission.organization_id", "commission.id")} > 0`,
};

const SIGNAL_REVIEWS: LedgerCheck = {
  name: "signal_reviews",
  rule: "A commission that waits because of a signal of fraud is of a payment with a decision that has the signal.",
  level: "damage",
  text: `
    select commission.organization_id, 'commission ' || commission.id as subject,
      format('waits because of %s, which its decision does not have', because) as finding
    from commissions commission
    join commission_reviews review
      on review.organization_id = commission.organization_id and review.commission_id = commission.id
    cross join unnest(review.reasons) as because
    where commission.review_state = 'pending' and not commission.voided and because like 'signal:%'
      and ${ofAsked("commission")} and not exists (
        select from payment_decisions decision, json_array_elements(decision.explanation -> 'signals') as found
        where decision.organization_id = commission.organization_id and decision.commission_id = commission.id
          and 'signal:' || (found ->> 'signal') = because)`,
};

const KEYS = processorNames
  .flatMap((processor) => [`'${processor}:payment:'`, `'${processor}:checkout:'`])
  .join(", ");

/**
 * A payment earns twice only by a manual commission. Where its decision does not know that commission, as in databases from
 * before payments had one, the reports of the customer tell the payment's names, and only these customers' reports are
 * read. Ids that join several payments are names of all of them, so there may be a commission for each.
 */
const PAYMENT_COMMISSIONS: LedgerCheck = {
  name: "payment_commissions",
  rule: "A payment has one commission that is not void.",
  level: "warning",
  text: `
    with recursive by_hand as materialized (
      select named.organization_id, named.name, named.commission_id
      from payment_names named
      join commissions commission
        on commission.organization_id = named.organization_id and commission.id = named.commission_id
      where not voided and ${ofAsked("named")}
        and not exists (
          select from payment_decisions decision
          where decision.organization_id = named.organization_id and decision.commission_id = named.commission_id)
        and not exists (
          select from payment_decisions decision
          where decision.organization_id = named.organization_id
            and decision.manual_commission_id = named.commission_id)
    ),
    found as materialized (
      select by_hand.organization_id, known.customer_id, commission_id, known.key,
        split_part(known.key, ':', 1) as processor
      from by_hand cross join unnest(array[${KEYS}]) as beginning
      join customer_keys known
        on known.organization_id = by_hand.organization_id and known.key = beginning || by_hand.name
    ),
    pair as materialized (
      select fact.organization_id, processor || ':payment:' || reference as other,
        processor || ':' || case when kind in ('payment', 'link', 'charge', 'refunded_total', 'amounts')
          then 'payment' else kind end || ':' || subject as one
      from (select distinct organization_id, customer_id from found) as customer
      join payment_facts fact using (organization_id, customer_id)
      cross join lateral jsonb_array_elements_text(fact.data -> 'references') as reference
    ),
    edge as materialized (
      select organization_id, one, other from pair union select organization_id, other, one from pair
    ),
    reached as (
      select organization_id, processor, commission_id, key from found
      union
      select reached.organization_id, processor, commission_id, edge.other
      from reached join edge on edge.organization_id = reached.organization_id and edge.one = reached.key
    ),
    decided as materialized (
      select reached.organization_id, reached.commission_id as of_id, decision.id, decision.payment_id,
        decision.commission_id, decision.manual_commission_id
      from reached
      join payment_decisions decision
        on decision.organization_id = reached.organization_id and decision.processor = reached.processor
          and decision.payment_id = substring(key from length(reached.processor || ':payment:') + 1)
      where key like '%:payment:%' and replaced_at is null
    ),
    holder as (
      select reached.organization_id, reached.commission_id as of_id, named.commission_id as id
      from reached
      join payment_names named on named.organization_id = reached.organization_id
        and named.name = substring(key from '^[^:]*:(?:payment|checkout):(.*)$')
      union
      select organization_id, of_id, commission_id from decided where commission_id is not null
      union
      select organization_id, of_id, manual_commission_id from decided where manual_commission_id is not null
    )
    select distinct organization_id, 'payment ' || payment_id as subject,
      'its commissions are ' || array_to_string(ids, ' and ') as finding
    from (
      select organization_id, of_id, array_agg(id order by id) as ids from holder
      where ${leftOf("holder.organization_id", "holder.id")} > 0
      group by organization_id, of_id
    ) as live
    join (
      select organization_id, of_id, min(payment_id) as payment_id, count(*) as payments
      from decided group by organization_id, of_id
    ) as payment using (organization_id, of_id)
    where cardinality(ids) > payments
    union all
    select organization_id, 'payment ' || payment_id,
      format('its commissions are %s and %s', commission_id, manual_commission_id)
    from payment_decisions decision
    where manual_commission_id is not null and commission_id <> manual_commission_id and replaced_at is null
      and ${ofAsked("decision")}
      and ${leftOf("decision.organization_id", "decision.commission_id")} > 0
      and ${leftOf("decision.organization_id", "decision.manual_commission_id")} > 0`,
};

/** SQL: a positive amount without the reversed part of its payment, rounded half away from zero as by `netAmounts`. */
function withoutReversed(amount: string, { paid, reversed }: { paid: string; reversed: string }): string {
  return `case when ${reversed} <= 0 then ${amount} when ${reversed} >= ${paid} then 0
    else div(2::numeric * ${amount} * (${paid} - ${reversed}) + ${paid}, 2::numeric * ${paid}) end`;
}

/**
 * As by `netCommission` and `ManualOutcome` in packages/domain/src/attribution/decide. Amounts that people set take the
 * refunds until then into account: later ones are refunds of a smaller payment.
 */
const REVERSAL_MISSING: LedgerCheck = {
  name: "reversal_missing",
  rule: "The refunds and disputes of a payment reduce its commission.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject,
      format('%s of %s were taken back of payment %s; of the commission remain %s instead of %s', reversed_minor,
        paid_minor, payment_id, has_minor, expected_minor) as finding
    from (
      select part.*, original.currency as earned_in,
        ${leftOf("part.organization_id", "part.id")} as has_minor,
        case
          when least(set_revenue, set_commission) <= 0 or (not is_by_hand and not is_gift
            and least(plain_revenue, plain_commission) <= 0) then 0
          when is_by_hand or corrected.commission_minor is not null then set_commission
          else plain_commission
        end as expected_minor
      from (
        select organization_id, payment_id, commission_id as id, currency, revenue_minor, commission_minor, paid_minor,
          reversed_minor, false as is_by_hand
        from payment_decisions decision
        where reversed_minor > 0 and outcome = 'commission' and commission_id is not null and replaced_at is null
          and ${ofAsked("decision")}
        union all
        select decision.organization_id, payment_id, manual_commission_id, by_hand.currency, by_hand.revenue_minor,
          by_hand.commission_minor, paid_minor, reversed_minor, true
        from payment_decisions decision
        join commissions by_hand
          on by_hand.organization_id = decision.organization_id and by_hand.id = manual_commission_id
        where reversed_minor > 0 and replaced_at is null and ${ofAsked("decision")}
      ) as part
      join commissions original on original.organization_id = part.organization_id and original.id = part.id
      left join commission_corrections correction
        on correction.organization_id = part.organization_id and correction.commission_id = part.id
      cross join lateral (
        select case when amounts_at is null then 0 else correction.reversed_minor end as included_minor,
          case when amounts_at is not null then correction.revenue_minor end as revenue_minor,
          case when amounts_at is not null then correction.commission_minor end as commission_minor,
          coalesce(not correction.voided and amounts_at is not null, false) as is_gift
      ) as corrected
      cross join lateral (
        select
          ${withoutReversed("part.revenue_minor", { paid: "paid_minor", reversed: "part.reversed_minor" })}
            as plain_revenue,
          ${withoutReversed("part.commission_minor", { paid: "paid_minor", reversed: "part.reversed_minor" })}
            as plain_commission,
          ${withoutReversed("coalesce(corrected.revenue_minor, part.revenue_minor)", {
            paid: "(paid_minor - included_minor)",
            reversed: "(part.reversed_minor - included_minor)",
          })} as set_revenue,
          ${withoutReversed("coalesce(corrected.commission_minor, part.commission_minor)", {
            paid: "(paid_minor - included_minor)",
            reversed: "(part.reversed_minor - included_minor)",
          })} as set_commission
      ) as net
      where correction.voided is not true
    ) as compared
    where has_minor > expected_minor and currency = earned_in`,
};

/**
 * A referral that attribution creates for a customer who is known by then, under another name, for another affiliate. People
 * may create such referrals; and a customer record may tie two that are older.
 */
const CUSTOMER_AFFILIATE: LedgerCheck = {
  name: "customer_affiliate",
  rule: "A customer with an id and emails in the record has one affiliate.",
  level: "warning",
  text: `
    select distinct by_email.organization_id, 'referral ' || by_email.id as subject,
      format('it has an email of customer %s and affiliate %s; referral %s has the id and affiliate %s',
        by_id.processor_customer_id, by_email.affiliate_id, by_id.id, by_id.affiliate_id) as finding
    from payment_facts fact
    join referrals by_id on by_id.organization_id = fact.organization_id
      and by_id.processor_customer_id = fact.data ->> 'customer_id' and by_id.replaced_at is null
    cross join lateral jsonb_to_recordset(fact.data -> 'emails') as named (email text, since timestamptz)
    join referrals by_email on by_email.organization_id = fact.organization_id
      and lower(by_email.email) = lower(named.email) and by_email.replaced_at is null
    cross join lateral (
      select coalesce(by_id.attributed_at, by_id.signup_date) as id_since,
        coalesce(by_email.attributed_at, by_email.signup_date) as email_since
    ) as began
    where fact.kind = 'customer' and ${ofAsked("fact")}
      and by_email.affiliate_id <> by_id.affiliate_id
      and named.since <= greatest(id_since, email_since)
      and case when id_since > email_since then by_id.attributed_by else by_email.attributed_by end is not null`,
};

/** Starts from the moves, which are few. */
const MOVED_CUSTOMER: LedgerCheck = {
  name: "moved_customer",
  rule: "A customer that a person moved has the affiliate of the last move.",
  level: "damage",
  text: `
    select referral.organization_id, 'referral ' || referral.id as subject,
      format('its affiliate is %s, and its customer was moved to %s', referral.affiliate_id, moved.affiliate_id)
        as finding
    from (
      select distinct on (organization_id, customer_id) organization_id, customer_id,
        data ->> 'affiliate_id' as affiliate_id
      from payment_facts fact
      where processor = 'organization' and kind = 'override' and ${ofAsked("fact")}
        and data ->> 'type' = 'move' and data ->> 'undone_at' is null
      order by organization_id, customer_id, (data ->> 'since')::timestamptz desc, subject desc
    ) as moved
    join customer_keys known
      on known.organization_id = moved.organization_id and known.customer_id = moved.customer_id
        and known.key like 'email:%'
    join referrals referral
      on referral.organization_id = known.organization_id and referral.replaced_at is null
        and lower(referral.email) = substring(known.key from length('email:') + 1)
    where referral.affiliate_id::text <> moved.affiliate_id`,
};

export const payment_checks: readonly LedgerCheck[] = [
  PAYMENT_NAME,
  COMMISSION_NAME,
  PAYMENT_COMMISSIONS,
  REVERSAL_MISSING,
  CUSTOMER_AFFILIATE,
  MOVED_CUSTOMER,
  SIGNAL_REVIEWS,
];
