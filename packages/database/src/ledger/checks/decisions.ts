import { IN_THOUSANDTHS, WITHOUT_MINOR_UNIT } from "@findersfee/contract/currency-decimals";
import { type LedgerCheck, ofAsked } from "./check.ts";

/* Rules about the explanations of payments' decisions: their steps, and the rules, tiers and rates of these. */

/** Percentages are in ten-thousandths of a percent, as in packages/domain/src/attribution/decide/earn.ts. */
const DECISION_AMOUNT: LedgerCheck = {
  name: "decision_amount",
  rule: "The steps of a payment's decision add up to its commission.",
  level: "damage",
  text: `
    select organization_id, 'payment ' || payment_id as subject,
      format('its commission is %s, and its steps add up to %s', commission_minor, steps_minor) as finding
    from payment_decisions decision
    cross join lateral (
      select round(sum(case step ->> 'type'
          when 'fixed' then coalesce(step #>> '{conversion,amount_minor}', step ->> 'value')::numeric
          else (step ->> 'value')::numeric * (step ->> 'of_minor')::numeric / 1000000 end)) as steps_minor
      from json_array_elements(explanation -> 'steps') as step
    ) as summed
    where outcome = 'commission' and commission_minor <> steps_minor and ${ofAsked("decision")}`,
};

/** Sets of rules never change, and are never deleted. */
const DECISION_RULE: LedgerCheck = {
  name: "decision_rule",
  rule: "A decision names rules of its organization, with their rewards.",
  level: "damage",
  text: `
    select organization_id, 'payment ' || payment_id as subject,
      format('it names the rule %s with the %s %s, which no list of rules has', step ->> 'rule_id', step ->> 'type',
        step ->> 'value') as finding
    from payment_decisions decision
    cross join lateral jsonb_array_elements((explanation -> 'steps')::jsonb) as step
    where explanation::text like '%"rule_id"%' and step ->> 'rule' = 'rule' and ${ofAsked("decision")}
      and not exists (
        select from commission_rule_sets rule_set
        cross join lateral jsonb_array_elements(rules) as rule
        cross join lateral (select rule -> 'reward' as reward) as of_rule
        where rule_set.organization_id = decision.organization_id and rule ->> 'id' = step ->> 'rule_id'
          and case reward ->> 'type'
            when 'nothing' then step ->> 'value' = '0'
            when 'percentage' then reward ->> 'value' = step ->> 'value'
            else reward -> 'amounts' @>
              jsonb_build_array(jsonb_build_object('currency', step -> 'currency', 'value', step -> 'value'))
          end)`,
};

/**
 * A payment has the tier of its own time, as it was known when the payment was first decided. Reports of a payment differ in its time,
 * so a tier of the days before counts, too.
 */
const DECISION_TIER: LedgerCheck = {
  name: "decision_tier",
  rule: "A decision names rules of tiers only if the affiliate had one of these tiers when the payment was made.",
  level: "damage",
  text: `
    with by_tier as materialized (
      select organization_id, rule ->> 'id' as rule_id, array_agg(tier.id) as tier_ids
      from commission_rule_sets rule_set
      cross join lateral jsonb_array_elements(rules) as rule
      left join lateral jsonb_array_elements_text(rule #> '{conditions,tiers}') as tier (id) on true
      where ${ofAsked("rule_set")}
      group by organization_id, rule ->> 'id'
      having bool_and(rule #> '{conditions,tiers}' is not null)
    )
    select decision.organization_id, 'payment ' || payment_id as subject,
      format('it names the rule %s of tiers that affiliate %s did not have', by_tier.rule_id, decision.affiliate_id) as finding
    from payment_decisions decision
    cross join lateral jsonb_array_elements((explanation -> 'steps')::jsonb) as step
    join by_tier
      on by_tier.organization_id = decision.organization_id and by_tier.rule_id = step ->> 'rule_id'
    where exists (select from by_tier) and explanation::text like '%"rule_id"%' and step ->> 'rule' = 'rule'
      and replaced_at is null and ${ofAsked("decision")}
      and not exists (
        select from affiliate_tiers had
        where had.organization_id = decision.organization_id and had.affiliate_id = decision.affiliate_id
          and had.tier_id::text = any (tier_ids) and had.since <= paid_at + interval '1 day'
          and not exists (
            select from affiliate_tiers next
            where next.organization_id = had.organization_id and next.affiliate_id = had.affiliate_id
              and next.since > had.since and next.since <= paid_at - interval '30 days'))`,
};

/** SQL: the decimals of a currency. */
function decimalsOf(currency: string): string {
  const among = (codes: string) => `${currency} = any (string_to_array('${codes}', ' '))`;
  return `case when ${among(WITHOUT_MINOR_UNIT)} then 0 when ${among(IN_THOUSANDTHS)} then 3 else 2 end`;
}

/** SQL: the rate of a currency that a step was converted with; null: it has none. */
function usedRate(currency: string): string {
  return `case when ${currency} = 'EUR' then 1 else (
        select (value ->> 'rate')::numeric from jsonb_array_elements(step #> '{conversion,rates}')
        where value ->> 'currency' = ${currency} limit 1) end`;
}

/** A fixed amount without a currency is in the organization's then: the other one of its rates, or the euro, which has none. */
const DECISION_CONVERSION: LedgerCheck = {
  name: "decision_conversion",
  rule: "A fixed amount of a decision in another currency gives the amount at its rates, which are stored ones.",
  level: "damage",
  text: `
    select organization_id, 'payment ' || payment_id as subject,
      format('%s %s give %s %s at the rates %s and %s', step ->> 'value', from_currency,
        step #>> '{conversion,amount_minor}', currency, coalesce(from_rate::text, 'missing'),
        coalesce(to_rate::text, 'missing')) as finding
    from payment_decisions decision
    cross join lateral jsonb_array_elements((explanation -> 'steps')::jsonb) as step
    cross join lateral (
      select coalesce(step ->> 'currency', (
          select value ->> 'currency' from jsonb_array_elements(step #> '{conversion,rates}')
          where value ->> 'currency' <> decision.currency limit 1), 'EUR') as from_currency
    ) as source
    cross join lateral (
      select ${usedRate("from_currency")} as from_rate, ${usedRate("decision.currency")} as to_rate
    ) as used
    where explanation::text like '%"conversion"%' and step -> 'conversion' is not null and ${ofAsked("decision")}
      and (from_rate is null or to_rate is null
        or (step #>> '{conversion,amount_minor}')::bigint <> convert_minor((step ->> 'value')::bigint,
          minor_rate(from_rate, ${decimalsOf("from_currency")}), minor_rate(to_rate, ${decimalsOf("decision.currency")}))
        or exists (
          select from jsonb_array_elements(step #> '{conversion,rates}') as quoted
          where not exists (
              select from exchange_rates known
              where known.source = quoted.value ->> 'source' and known.currency = quoted.value ->> 'currency'
                and known.day = (quoted.value ->> 'day')::date and known.rate = (quoted.value ->> 'rate')::numeric)
            and not exists (
              select from organization_exchange_rates known
              where known.organization_id = decision.organization_id and known.source = quoted.value ->> 'source'
                and known.currency = quoted.value ->> 'currency' and known.day = (quoted.value ->> 'day')::date
                and known.rate = (quoted.value ->> 'rate')::numeric)))`,
};

export const decision_checks: readonly LedgerCheck[] = [
  DECISION_AMOUNT,
  DECISION_RULE,
  DECISION_TIER,
  DECISION_CONVERSION,
];
