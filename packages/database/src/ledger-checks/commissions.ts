import { type LedgerCheck, ofAsked } from "./check.ts";

/* What commissions have to be, beside their payouts and originals. */

const COMMISSION_AFFILIATE: LedgerCheck = {
  name: "commission_affiliate",
  rule: "A commission is of an affiliate of its organization.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject,
      format('there is no affiliate %s', affiliate_id) as finding
    from commissions commission
    where ${ofAsked("commission")} and not exists (
      select from affiliates affiliate
      where affiliate.organization_id = commission.organization_id and affiliate.id = commission.affiliate_id)`,
};

const COMMISSION_AMOUNT: LedgerCheck = {
  name: "commission_amount",
  rule: "A commission is more than nothing; only one that corrects another may be less.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || id as subject,
      format('its revenue is %s and it is %s', revenue_minor, commission_minor) as finding
    from commissions commission
    where reversal_of is null and (revenue_minor <= 0 or commission_minor <= 0) and ${ofAsked("commission")}`,
};

const COMMISSION_PAYOUT: LedgerCheck = {
  name: "commission_payout",
  rule: "A commission is in a payout of its affiliate in its currency while it is pending or paid, else in none.",
  level: "damage",
  text: `
    select commission.organization_id, 'commission ' || commission.id as subject,
      case when commission.payout_id is null then format('it is %s and in no payout', payout_status)
        when payout_status not in ('pending', 'paid')
          then format('it is %s and in payout %s', payout_status, commission.payout_id)
        when payout.id is null then format('there is no payout %s', commission.payout_id)
        else format('payout %s is of affiliate %s in %s', payout.id, payout.affiliate_id, payout.currency)
      end as finding
    from commissions commission
    left join payouts payout
      on payout.organization_id = commission.organization_id and payout.id = commission.payout_id
    where ${ofAsked("commission")} and (payout_status in ('pending', 'paid') or commission.payout_id is not null)
      and (payout_status not in ('pending', 'paid') or payout.id is null
        or payout.affiliate_id <> commission.affiliate_id or payout.currency <> commission.currency)`,
};

const COMMISSION_STATUS: LedgerCheck = {
  name: "commission_status",
  rule: "A commission is paid when its payout is, and pending while that is pending or processing.",
  level: "damage",
  text: `
    select commission.organization_id, 'commission ' || commission.id as subject,
      format('it is %s, and its payout %s is %s', payout_status, payout.id, payout.status) as finding
    from commissions commission
    join payouts payout
      on payout.organization_id = commission.organization_id and payout.id = commission.payout_id
    where ${ofAsked("commission")}
      and case payout.status when 'pending' then 'pending' when 'processing' then 'pending'
        when 'paid' then 'paid' else 'not_paid' end <> payout_status`,
};

const REVERSAL_ORIGINAL: LedgerCheck = {
  name: "reversal_original",
  rule: "What corrects a commission names one of the same organization and currency that corrects none itself.",
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
      and (original.id is null or original.reversal_of is not null or original.currency <> reversal.currency)`,
};

/** For each affiliate: what was another's before is taken from the one and given to the other. */
const REVERSAL_AMOUNT: LedgerCheck = {
  name: "reversal_amount",
  rule: "From an affiliate no more of a commission is taken back than it got of it.",
  level: "damage",
  text: `
    select original.organization_id, 'commission ' || original.id as subject,
      format('with what was added to it, affiliate %s has %s of it', part.affiliate_id, sum(part.commission_minor))
        as finding
    from (
      select distinct organization_id, reversal_of as id from commissions reversal
      where reversal_of is not null and ${ofAsked("reversal")}
    ) as named
    join commissions original using (organization_id, id)
    cross join lateral (
      select affiliate_id, commission_minor from commissions
      where organization_id = original.organization_id and id = original.id and payout_status <> 'voided'
      union all
      select affiliate_id, commission_minor from commissions
      where organization_id = original.organization_id and reversal_of = original.id
        and payout_status <> 'voided'
    ) as part
    group by original.organization_id, original.id, part.affiliate_id
    having sum(part.commission_minor) < 0`,
};

export const commission_checks: readonly LedgerCheck[] = [
  COMMISSION_AFFILIATE,
  COMMISSION_AMOUNT,
  COMMISSION_PAYOUT,
  COMMISSION_STATUS,
  REVERSAL_ORIGINAL,
  REVERSAL_AMOUNT,
];
