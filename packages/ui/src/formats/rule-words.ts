import type { RuleWords } from "./rule-sentence.ts";

const ORDINALS = new Intl.PluralRules("en-US", { type: "ordinal" });
const ENDS: Record<string, string> = { one: "st", two: "nd", few: "rd", other: "th" };

function ordinal(number: number): string {
  return number === 1 ? "first" : `${number}${ENDS[ORDINALS.select(number)]}`;
}

/** Countries that English names with an article. */
const WITH_ARTICLE =
  /\b(United States|United Kingdom|United Arab Emirates|Netherlands|Philippines|Bahamas|Maldives|Gambia)\b/g;

const payments: RuleWords["payments"] = ({ from = 1, to }) => {
  if (to === undefined) return `the ${ordinal(from)} and later payments`;
  if (from === to) return `the ${ordinal(from)} payment`;
  return from === 1 ? `the first ${to} payments` : `the ${ordinal(from)} to ${ordinal(to)} payment`;
};

/** Sentences of rules in English. */
export const rule_words: RuleWords = {
  locale: "en-US",
  nothing: "Nothing",
  reward: (reward, subject, is_percentage) => `${reward} ${is_percentage ? "of" : "for"} ${subject}`,
  any_payment: "every payment",
  some_payments: "payments",
  intervals: {
    day: "daily plans",
    week: "weekly plans",
    month: "monthly plans",
    year: "yearly plans",
    one_time: "one-time purchases",
  },
  products: (products, count) =>
    count === 0 ? "certain products" : `${count === 1 ? "the product" : "the products"} ${products}`,
  lines_of: (lines, products) => `${lines} of ${products}`,
  payments,
  in_payments: (range) => `in ${payments(range)}`,
  months: ({ from = 1, to }) => {
    if (to === undefined) return from === 1 ? "in all months" : `from month ${from} on`;
    if (from === 1) return to === 1 ? "in the first month" : `for the first ${to} months`;
    return from === to ? `in month ${from}` : `in months ${from} to ${to}`;
  },
  countries: (countries) => `in ${countries.replaceAll(WITH_ARTICLE, "the $1")}`,
  currencies: (currencies) => `paid in ${currencies}`,
  amount: (from, below) => {
    if (from === null) return `below ${below}`;
    return below === null ? `of ${from} or more` : `of ${from} to less than ${below}`;
  },
  metadata: (key, values) => (key === null ? "under further conditions" : `with ${key} ${values}`),
  tiers: (count) => (count === 1 ? "in one of the tiers" : `in ${count} of the tiers`),
  promo_codes: (codes, count) => `with the promo ${count === 1 ? "code" : "codes"} ${codes}`,
  more: (count) => `${count} more`,
};
