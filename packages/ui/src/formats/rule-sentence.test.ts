import { expect, it } from "vitest";
import { formatPercent, ruleSentence, type SentenceRule } from "./rule-sentence.ts";
import { rule_words } from "./rule-words.ts";

const percent = (amount: number) => ({ type: "percentage" as const, amount, amounts: [] });
const FIXED = {
  type: "fixed" as const,
  amount: null,
  amounts: [
    { currency: "USD", amount: 20 },
    { currency: "JPY", amount: 3000 },
  ],
};
const NOTHING = { type: "nothing" as const, amount: null, amounts: [] };

it.each<[SentenceRule["conditions"], SentenceRule["reward"], string]>([
  [{}, percent(40), "40% of every payment"],
  [
    { intervals: ["year"], months: { to: 12 }, countries: ["US", "CA"] },
    percent(40),
    "40% of yearly plans for the first 12 months, in the United States and Canada",
  ],
  [{ payments: { to: 1 } }, FIXED, "$20.00 or ¥3,000 for the first payment"],
  [{ payments: { from: 2 } }, percent(12.5), "12.5% of the 2nd and later payments"],
  [{ payments: { from: 2, to: 5 } }, percent(1), "1% of the 2nd to 5th payment"],
  [{ products: ["prod_setup"] }, NOTHING, "Nothing for the product prod_setup"],
  [
    { products: ["a", "b"], intervals: ["month", "year"], payments: { to: 3 } },
    percent(5),
    "5% of monthly plans and yearly plans of the products a and b in the first 3 payments",
  ],
  [{ months: { from: 13 } }, percent(5), "5% of every payment from month 13 on"],
  [{ months: { from: 2, to: 2 } }, percent(5), "5% of every payment in month 2"],
  [{ currencies: ["EUR", "USD"] }, percent(5), "5% of payments paid in EUR or USD"],
  [{ amount: { currency: "USD", from: 1000 } }, percent(5), "5% of payments of $1,000.00 or more"],
  [{ amount: { currency: "USD", below: 1000 } }, percent(5), "5% of payments below $1,000.00"],
  [
    { metadata: { key: "plan", values: ["pro", "team"] }, promo_codes: ["LAUNCH"] },
    percent(5),
    "5% of payments with plan pro or team, with the promo code LAUNCH",
  ],
  [{ metadata: { values: [] } }, percent(5), "5% of payments under further conditions"],
  [{ products: [..."abcdefgh"] }, percent(5), "5% of the products a, b, c, d, e, and 3 more"],
])("tells %j and %j", (conditions, reward, sentence) => {
  expect(ruleSentence({ conditions, reward }, rule_words)).toBe(sentence);
});

it("formats percentages with their decimals", () => {
  expect([formatPercent(33.3333), formatPercent(30, "de-DE")]).toEqual(["33.3333%", "30\u00a0%"]);
});
