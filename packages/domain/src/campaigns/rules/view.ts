import type { CommissionRule } from "@findersfee/contract/campaigns/rules";
import type { StoredConditions, StoredReward, StoredRule } from "@findersfee/database/campaigns/rule-sets";
import { toMajor, toPercent } from "../../money.ts";

/** Rules as the API shows them, in the order of the schema. */
export function viewRules(rules: readonly StoredRule[]): CommissionRule[] {
  return rules.map(({ id, name, conditions, reward }) => ({
    id,
    name,
    conditions: viewConditions(conditions),
    reward: viewReward(reward),
  }));
}

function viewConditions(stored: StoredConditions): CommissionRule["conditions"] {
  const {
    products,
    payments,
    months,
    intervals,
    countries,
    currencies,
    amount,
    metadata,
    promo_codes,
    tiers,
  } = stored;
  return {
    ...(products !== undefined && { products: [...products] }),
    ...(payments !== undefined && { payments: viewRange(payments) }),
    ...(months !== undefined && { months: viewRange(months) }),
    ...(intervals !== undefined && { intervals: [...intervals] }),
    ...(countries !== undefined && { countries: [...countries] }),
    ...(currencies !== undefined && { currencies: [...currencies] }),
    ...(amount !== undefined && { amount: viewAmount(amount) }),
    ...(metadata !== undefined && { metadata: { key: metadata.key, values: [...metadata.values] } }),
    ...(promo_codes !== undefined && { promo_codes: [...promo_codes] }),
    ...(tiers !== undefined && { tiers: [...tiers] }),
  };
}

function viewRange({ from, to }: NonNullable<StoredConditions["payments"]>) {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function viewAmount({ currency, from_minor, below_minor }: NonNullable<StoredConditions["amount"]>) {
  return {
    currency,
    ...(from_minor !== undefined && { from: toMajor(from_minor, currency) }),
    ...(below_minor !== undefined && { below: toMajor(below_minor, currency) }),
  };
}

/** A reward as the API shows it. */
export function viewReward(reward: StoredReward): CommissionRule["reward"] {
  const { type } = reward;
  const amounts = type === "fixed" ? reward.amounts : [];
  return {
    type,
    amount: type === "percentage" ? toPercent(reward.value) : null,
    amounts: amounts.map(({ currency, value }) => ({ currency, amount: toMajor(value, currency) })),
  };
}
