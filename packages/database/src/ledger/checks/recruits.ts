import { type LedgerCheck, ofAsked } from "./check.ts";

/* Rules about commissions for recruits: each is the percentage of a recruit's commission. */

/**
 * A correction that a person voided is not paid, and not added again: the share is between the sums without and with these. Percentages
 * are in ten-thousandths of a percent, as in packages/domain/src/ledger/recruits.ts.
 * Postgres rounds half away from zero, too.
 */
const RECRUIT_AMOUNT: LedgerCheck = {
  name: "recruit_amount",
  rule: "A recruiter has its percentage of the rest of each commission of its recruits, unless it was refused or its correction was voided.",
  level: "damage",
  text: `
    select organization_id, 'commission ' || root_id as subject,
      format('recruiter %s has %s %s too much of it', affiliate_id, sum(live) - sum(share), currency) as finding
    from (
      select organization_id, root_id, recruited_by as affiliate_id, currency,
        round(greatest(coalesce(net_minor, 0), 0) * recruiting_rate / 1000000) as share, 0 as live, 0 as voided
      from (
        select root.organization_id, root.id as root_id, root.currency, recruit.id, recruit.recruited_by,
          recruit.recruiting_rate, sum(part.commission_minor) filter (where not part.voided) as net_minor
        from affiliates recruit
        join commissions part
          on part.organization_id = recruit.organization_id and part.affiliate_id = recruit.id
            and part.recruit_commission_id is null
        join commissions root
          on root.organization_id = part.organization_id and root.id = coalesce(part.reversal_of, part.id)
        left join recruit_terms terms
          on terms.organization_id = root.organization_id and terms.commission_id = root.id
            and terms.recruit_id = recruit.id
        where recruit.recruited_by is not null and ${ofAsked("recruit")}
          and terms.refusal is null and root.referral_date < recruit.recruited_until
        group by root.organization_id, root.id, recruit.organization_id, recruit.id
      ) as own
      union all
      select organization_id, recruit_commission_id, affiliate_id, currency, 0,
        case when voided then 0 else commission_minor end, case when voided then commission_minor else 0 end
      from commissions line
      where recruit_commission_id is not null and (not voided or reversal_of is not null) and ${ofAsked("line")}
    ) as part
    group by organization_id, root_id, affiliate_id, currency
    having sum(share) not between sum(live) and sum(live) + sum(voided)`,
};

const RECRUIT_TERMS: LedgerCheck = {
  name: "recruit_terms",
  rule: "A commission of a recruit has the terms of its recruiter.",
  level: "damage",
  text: `
    select part.organization_id, 'commission ' || part.id as subject,
      format('it has no terms of recruit %s', recruit.id) as finding
    from affiliates recruit
    join commissions part
      on part.organization_id = recruit.organization_id and part.affiliate_id = recruit.id
        and part.recruit_commission_id is null
    where recruit.recruited_by is not null and ${ofAsked("recruit")} and not exists (
      select from recruit_terms terms
      where terms.organization_id = part.organization_id and terms.commission_id = coalesce(part.reversal_of, part.id)
        and terms.recruit_id = recruit.id)`,
};

const RECRUIT_COMMISSION: LedgerCheck = {
  name: "recruit_commission",
  rule: "A commission for a recruit is for a commission that is for none itself, and is in review as long as that is and no payout has it.",
  level: "damage",
  text: `
    select line.organization_id, 'commission ' || line.id as subject,
      case when root.id is null then format('there is no commission %s', line.recruit_commission_id)
        when root.recruit_commission_id is not null or root.reversal_of is not null
          then format('commission %s is for a recruit, or corrects another one', root.id)
        else format('it is %s, and commission %s is %s', line.review_state, root.id, root.review_state)
      end as finding
    from commissions line
    left join commissions root
      on root.organization_id = line.organization_id and root.id = line.recruit_commission_id
    where line.recruit_commission_id is not null and line.reversal_of is null and ${ofAsked("line")}
      and (root.id is null or root.recruit_commission_id is not null or root.reversal_of is not null
        or (line.review_state = 'pending') <> (root.review_state = 'pending' and not exists (
          select from payout_commissions placed
          where placed.organization_id = line.organization_id and placed.affiliate_id = line.affiliate_id
            and placed.commission_id = line.id)))`,
};

export const recruit_checks: readonly LedgerCheck[] = [RECRUIT_AMOUNT, RECRUIT_TERMS, RECRUIT_COMMISSION];
