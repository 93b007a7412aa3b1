import type { BillingInterval } from "@findersfee/contract/campaigns/rules";
import { ruleOf } from "../rules/rule-draft.ts";
import type { CampaignDraft } from "./draft.ts";
import { knownTiers } from "./tier-draft.ts";

/** The values of the schedule's example payment that rules ask for. */
export interface Example {
  product_id?: string;
  interval?: BillingInterval;
  country?: string;
  currency?: string;
  promo_code?: string;
  metadata?: Record<string, string>;
  /** The id of the affiliate's tier. */
  tier?: string;
  /** A tag of the affiliate. */
  tag?: string;
}

/** The values that the rules and product rates of a draft name, which the example can have. */
export interface AskedValues {
  product_id: string[];
  interval: BillingInterval[];
  country: string[];
  currency: string[];
  promo_code: string[];
  /** The ids of the draft's tiers. */
  tier: string[];
  tag: string[];
  /** The values by key. */
  metadata: Record<string, string[]>;
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

export function askedValues(
  { products, rules = [], tiers }: CampaignDraft,
  own_currency: string,
): AskedValues {
  const conditions = rules.map((rule) => ruleOf(rule).conditions);
  const of_products = products.map((product) => product.product_id.trim()).filter(Boolean);
  const keys = distinct(conditions.flatMap(({ metadata }) => metadata?.key || []));
  return {
    product_id: distinct([...of_products, ...conditions.flatMap((given) => given.products ?? [])]),
    interval: distinct(conditions.flatMap((given) => given.intervals ?? [])),
    country: distinct(conditions.flatMap((given) => given.countries ?? [])).filter(isCountry),
    currency: distinct([
      own_currency,
      ...conditions.flatMap((given) => [...(given.currencies ?? []), given.amount?.currency ?? []].flat()),
    ]),
    promo_code: distinct(conditions.flatMap((given) => given.promo_codes ?? [])),
    tier: knownTiers(tiers).map(({ id }) => id),
    tag: distinct(conditions.flatMap((given) => given.tags ?? [])),
    metadata: Object.fromEntries(
      keys.map((key) => [
        key,
        distinct(conditions.flatMap(({ metadata }) => (metadata?.key === key ? [...metadata.values] : []))),
      ]),
    ),
  };
}

const isCountry = (code: string) => /^[A-Z]{2}$/.test(code);

/** The chosen values, without those that no rule names any longer. */
export function exampleOf(chosen: Example, asked: AskedValues): Example {
  const { product_id, interval, country, currency, promo_code, metadata = {}, tier, tag } = chosen;
  const known = Object.entries(metadata).filter(([key, value]) => asked.metadata[key]?.includes(value));
  return {
    ...(product_id !== undefined && asked.product_id.includes(product_id) && { product_id }),
    ...(interval !== undefined && asked.interval.includes(interval) && { interval }),
    ...(country !== undefined && asked.country.includes(country) && { country }),
    ...(currency !== undefined && asked.currency.includes(currency) && { currency }),
    ...(promo_code !== undefined && asked.promo_code.includes(promo_code) && { promo_code }),
    ...(tier !== undefined && asked.tier.includes(tier) && { tier }),
    ...(tag !== undefined && asked.tag.includes(tag) && { tag }),
    ...(known.length > 0 && { metadata: Object.fromEntries(known) }),
  };
}
