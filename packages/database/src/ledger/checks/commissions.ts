import { dueAt } from "../due.ts";
import { type LedgerCheck, ofAsked } from "./check.ts";

/* Rules about commissions and adjustments: their payout state, their payouts, and their corrections. */

const COMMISSION_AFFILIATE: LedgerCheck = {
  name: "commission_affiliate",
  rule: "A commission belongs to an existing affiliate of its organization.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject,
      format('there is no affiliate %s', affiliate_id) as finding
    from commissions commission
    where ${ofAsked("commission")} and not exists (
      select from affiliates affiliate
      where affiliate.organization_id = commission.organization_id and affiliate.id = commission.affiliate_id)`,
};

const COMMISSION_REFERRAL: LedgerCheck = {
  name: "commission_referral",
  rule: "A commission belongs to an existing referral of its organization.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject,
      format('there is no referral %s', referral_id) as finding
    from commissions commission
    where ${ofAsked("commission")} and not exists (
      select from referrals referral
      where referral.organization_id = commission.organization_id and referral.id = commission.referral_id)`,
};

const COMMISSION_AMOUNT: LedgerCheck = {
  name: "commission_amount",
  rule: "A commission's amount and revenue are positive, unless it corrects another commission; a lead and a commission for a recruit have no revenue.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject,
      format('its revenue is %s and it is %s', revenue_minor, commission_minor) as finding
    from commissions commission
    where reversal_of is null and (commission_minor <= 0 or revenue_minor < 0 or (revenue_minor = 0) <> (lead is not null or recruit_commission_id is not null)) and ${ofAsked("commission")}`,
};

const COMMISSION_STATE: LedgerCheck = {
  name: "commission_state",
  rule: "A commission or an adjustment is either unpaid or in a payout; a voided one is neither.",
  level: "damage",
  text: `
    select line.organization_id, line.noun || ' ' || line.id as subject,
      format('it is %s, %s and in %s', case when voided then 'voided' else 'not voided' end,
        case when unpaid.commission_id is null then 'not unpaid' else 'unpaid' end,
        coalesce('payout ' || payout_id, 'no payout')) as finding
    from payable_lines line
    left join unpaid_commissions unpaid
      on unpaid.organization_id = line.organization_id and unpaid.commission_id = line.id
    left join payout_commissions placed
      on placed.organization_id = line.organization_id and placed.affiliate_id = line.affiliate_id
        and placed.commission_id = line.id
    where ${ofAsked("line")}
      and voided::int + (unpaid.commission_id is not null)::int + (payout_id is not null)::int <> 1`,
};

const UNPAID_COMMISSION: LedgerCheck = {
  name: "unpaid_commission",
  rule: "An unpaid commission or adjustment has the affiliate, currency, amount and due date of its row.",
  level: "damage",
  text: `
    select unpaid.organization_id, coalesce(line.noun, 'commission') || ' ' || unpaid.commission_id as subject,
      case when line.id is null then 'there is none'
        else format('it is %s %s of affiliate %s, due at %s; unpaid is %s %s of affiliate %s, due at %s',
          line.commission_minor, line.currency, line.affiliate_id, ${dueAt("line")},
          unpaid.commission_minor, unpaid.currency, unpaid.affiliate_id, unpaid.due_at)
      end as finding
    from unpaid_commissions unpaid
    left join payable_lines line
      on line.organization_id = unpaid.organization_id and line.id = unpaid.commission_id
    where ${ofAsked("unpaid")}
      and (line.affiliate_id, line.currency, line.commission_minor, ${dueAt("line")})
        is distinct from (unpaid.affiliate_id, unpaid.currency, unpaid.commission_minor, unpaid.due_at)`,
};

const COMMISSION_PAYOUT: LedgerCheck = {
  name: "commission_payout",
  rule: "A commission or an adjustment in a payout has the payout's affiliate, and its currency or one that it converts, and the payout did not fail.",
  level: "damage",
  text: `
    select placed.organization_id, coalesce(line.noun, 'commission') || ' ' || placed.commission_id as subject,
      case when line.id is null then format('there is none, but it is in payout %s', placed.payout_id)
        when payout.id is null then format('there is no payout %s', placed.payout_id)
        else format('it is in payout %s for affiliate %s, which is %s, and of affiliate %s in %s', payout.id,
          placed.affiliate_id, payout.status, payout.affiliate_id, payout.currency)
      end as finding
    from payout_commissions placed
    left join payable_lines line
      on line.organization_id = placed.organization_id and line.id = placed.commission_id
    left join payouts payout
      on payout.organization_id = placed.organization_id and payout.id = placed.payout_id
    where ${ofAsked("placed")}
      and (line.id is null or payout.id is null or payout.status in ('failed', 'canceled')
        or line.affiliate_id <> placed.affiliate_id or payout.affiliate_id <> placed.affiliate_id
        or (payout.currency <> line.currency and not exists (
          select from payout_conversions conversion
          where conversion.organization_id = placed.organization_id and conversion.payout_id = placed.payout_id
            and conversion.from_currency = line.currency)))`,
};

const ADJUSTMENT_COMMISSION: LedgerCheck = {
  name: "adjustment_commission",
  rule: "An adjustment names a commission of its organization, or none.",
  level: "damage",
  text: `
    select organization_id, 'adjustment ' || id as subject,
      format('there is no commission %s', commission_id) as finding
    from adjustments adjustment
    where commission_id is not null and ${ofAsked("adjustment")} and not exists (
      select from commissions commission
      where commission.organization_id = adjustment.organization_id and commission.id = adjustment.commission_id)`,
};

const REVERSAL_ORIGINAL: LedgerCheck = {
  name: "reversal_original",
  rule: "A correction refers to a commission of the same organization and currency that is no correction; one for a recruit may be in another currency.",
  level: "damage",
  text: `
    select reversal.organization_id, 'commission ' || reversal.id as subject,
      case when original.id is null then format('there is no commission %s', reversal.reversal_of)
        when original.reversal_of is not null
          then format('commission %s corrects %s itself', original.id, original.reversal_of)
        else format('it is in %s, and commission %s in %s', reversal.currency, original.id, original.currency)
      end as finding
    from commissions reversal
    left join commissions original
      on original.organization_id = reversal.organization_id and original.id = reversal.reversal_of
    where reversal.reversal_of is not null and ${ofAsked("reversal")}
      and (original.id is null or original.reversal_of is not null or (original.currency <> reversal.currency and reversal.recruit_commission_id is null))`,
};

/** Per affiliate: a commission that moved to another affiliate is reversed for the first and added for the second. */
const REVERSAL_AMOUNT: LedgerCheck = {
  name: "reversal_amount",
  rule: "The reversals of a commission do not exceed its amount, for each affiliate.",
  level: "damage",
  text: `
    select original.organization_id, 'commission ' || original.id as subject,
      format('with its corrections, affiliate %s has %s of it', part.affiliate_id, sum(part.commission_minor))
        as finding
    from (
      select distinct organization_id, reversal_of as id from commissions reversal
      where reversal_of is not null and ${ofAsked("reversal")}
    ) as named
    join commissions original using (organization_id, id)
    cross join lateral (
      select affiliate_id, commission_minor from commissions
      where organization_id = original.organization_id and id = original.id and not voided
      union all
      select affiliate_id, commission_minor from commissions
      where organization_id = original.organization_id and reversal_of = original.id
        and not voided
    ) as part
    group by original.organization_id, original.id, part.affiliate_id
    having sum(part.commission_minor) < 0`,
};

const LEAD_COMMISSION: LedgerCheck = {
  name: "lead_commission",
  rule: "A commission for a lead is of one lead of its referral, which earns it; if the lead earns nothing, nothing of the commission remains.",
  level: "damage",
  text: `
    select commission.organization_id, 'commission ' || commission.id as subject,
      case when lead.id is null then format('referral %s has no lead %s with this commission', commission.referral_id,
          commission.lead)
        else format('lead %s is %s, and %s of it remain', lead.id, lead.outcome, rest.minor)
      end as finding
    from commissions commission
    left join leads lead
      on lead.organization_id = commission.organization_id and lead.commission_id = commission.id
        and lead.referral_id = commission.referral_id and lead.kind = commission.lead
    cross join lateral (
      select coalesce(sum(part.commission_minor), 0) as minor from commissions part
      where part.organization_id = commission.organization_id and not part.voided
        and (part.id = commission.id or part.reversal_of = commission.id)
    ) as rest
    where commission.lead is not null and commission.reversal_of is null and ${ofAsked("commission")}
      and (lead.id is null or (lead.outcome <> 'commission' and rest.minor > 0 and not exists (
        -- Restored by a person, or a reversal of it was voided.
        select from commission_corrections correction
        where correction.organization_id = commission.organization_id and correction.voided is not null
          and correction.commission_id in (
            select part.id from commissions part
            where part.organization_id = commission.organization_id
              and (part.id = commission.id or part.reversal_of = commission.id)))))`,
};

/** A person's correction of the commission, or of its reversals, counts instead of the terms. */
const LEAD_AMOUNT: LedgerCheck = {
  name: "lead_amount",
  rule: "What remains of a commission for a lead that earns is the amount of the lead's terms, in its currency, unless a person corrected it.",
  level: "damage",
  text: `
    select lead.organization_id, 'commission ' || lead.commission_id as subject,
      format('affiliate %s has %s %s of it, and %s %s by the terms of lead %s', lead.affiliate_id, rest.minor,
        commission.currency, coalesce(terms.minor::text, 'nothing'), lead.currency, lead.id) as finding
    from leads lead
    join commissions commission
      on commission.organization_id = lead.organization_id and commission.id = lead.commission_id
    left join lateral (
      select (value ->> 'amount_minor')::bigint as minor from jsonb_array_elements(lead.terms)
      where value ->> 'affiliate_id' = lead.affiliate_id::text limit 1
    ) as terms on true
    cross join lateral (
      select coalesce(sum(part.commission_minor) filter (where part.affiliate_id = lead.affiliate_id and not part.voided), 0)
          as minor, array_agg(part.id) as ids
      from commissions part
      where part.organization_id = lead.organization_id
        and (part.id = lead.commission_id or part.reversal_of = lead.commission_id)
    ) as rest
    where lead.outcome = 'commission' and ${ofAsked("lead")}
      and (commission.currency <> lead.currency or rest.minor is distinct from terms.minor)
      and not exists (
        select from commission_corrections correction
        where correction.organization_id = lead.organization_id and correction.commission_id = any (rest.ids)
          and (correction.voided is not null or correction.commission_minor is not null))`,
};

const LEAD_REFERRAL: LedgerCheck = {
  name: "lead_referral",
  rule: "A lead is of an existing referral, and one that earns has a commission for it.",
  level: "damage",
  text: `
    select lead.organization_id, 'lead ' || lead.id as subject,
      case when referral.id is null then format('there is no referral %s', lead.referral_id)
        else format('commission %s is not for it', lead.commission_id)
      end as finding
    from leads lead
    left join referrals referral
      on referral.organization_id = lead.organization_id and referral.id = lead.referral_id
    left join commissions commission
      on commission.organization_id = lead.organization_id and commission.id = lead.commission_id
    where ${ofAsked("lead")} and (referral.id is null
      or (lead.commission_id is not null and commission.lead is distinct from lead.kind))`,
};

/** A commission for a recruit has the state of the recruit's, and no review of its own. */
const PENDING_REVIEW: LedgerCheck = {
  name: "pending_review",
  rule: "A commission that waits for a review has one.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject, 'it waits for a review that does not exist' as finding
    from commissions commission
    where review_state = 'pending' and recruit_commission_id is null and ${ofAsked("commission")}
      and not exists (
        select from commission_reviews review
        where review.organization_id = commission.organization_id and review.commission_id = commission.id)`,
};

/** Tiers are measured after the day, and perhaps much later; the organization's day begins up to a day before that of UTC. */
const TIER_BONUS: LedgerCheck = {
  name: "tier_bonus",
  rule: "A bonus for a tier is an adjustment of its affiliate above zero, from its period on.",
  level: "damage",
  text: `
    select bonus.organization_id, 'adjustment ' || bonus.adjustment_id as subject,
      case when adjustment.id is null then 'there is none'
        else format('it is %s of affiliate %s at %s, as the bonus of affiliate %s for the period from %s',
          adjustment.amount_minor, adjustment.affiliate_id, adjustment.created_at, bonus.affiliate_id, bonus.period_start)
      end as finding
    from tier_bonuses bonus
    left join adjustments adjustment
      on adjustment.organization_id = bonus.organization_id and adjustment.id = bonus.adjustment_id
    where ${ofAsked("bonus")} and (adjustment.id is null or adjustment.affiliate_id <> bonus.affiliate_id
      or adjustment.amount_minor <= 0 or adjustment.created_at < bonus.period_start - interval '1 day')`,
};

export const commission_checks: readonly LedgerCheck[] = [
  COMMISSION_AFFILIATE,
  COMMISSION_REFERRAL,
  COMMISSION_AMOUNT,
  COMMISSION_STATE,
  UNPAID_COMMISSION,
  COMMISSION_PAYOUT,
  LEAD_COMMISSION,
  LEAD_AMOUNT,
  LEAD_REFERRAL,
  PENDING_REVIEW,
  ADJUSTMENT_COMMISSION,
  TIER_BONUS,
  REVERSAL_ORIGINAL,
  REVERSAL_AMOUNT,
];
