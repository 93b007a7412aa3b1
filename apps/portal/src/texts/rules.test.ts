import { ruleSentence, type SentenceRule } from "@findersfee/ui/formats/rule-sentence";
import { expect, it } from "vitest";
import { rules as de } from "./de/rules.ts";
import { rules as en } from "./en/rules.ts";

const percent = (amount: number) => ({ type: "percentage" as const, amount, amounts: [] });
const FIXED = { type: "fixed" as const, amount: null, amounts: [{ currency: "EUR", amount: 20 }] };
const NOTHING = { type: "nothing" as const, amount: null, amounts: [] };

it.each<[SentenceRule, string, string]>([
  [{ conditions: {}, reward: percent(42.5) }, "42.5% of every payment", "42,5 % für jede Zahlung"],
  [
    { conditions: { intervals: ["year"], months: { to: 12 }, countries: ["US", "CH"] }, reward: percent(40) },
    "40% of yearly plans for the first 12 months, in the United States and Switzerland",
    "40 % für Jahresabos in den ersten 12 Monaten, von Kunden aus den Vereinigten Staaten und der Schweiz",
  ],
  [
    { conditions: { payments: { to: 1 }, promo_codes: ["LAUNCH"] }, reward: FIXED },
    "€20.00 for the first payment with the promo code LAUNCH",
    "20,00 € für die erste Zahlung mit dem Gutscheincode LAUNCH",
  ],
  [
    { conditions: { payments: { from: 2 } }, reward: percent(10) },
    "10% of the 2nd and later payments",
    "10 % für alle Zahlungen ab der 2.",
  ],
  [
    { conditions: { products: [], metadata: { values: [] } }, reward: NOTHING },
    "Nothing for certain products under further conditions",
    "Nichts für bestimmte Produkte unter weiteren Bedingungen",
  ],
  [
    { conditions: { amount: { currency: "EUR", from: 100, below: 500 } }, reward: percent(10) },
    "10% of payments of €100.00 to less than €500.00",
    "10 % für Zahlungen ab 100,00 € bis unter 500,00 €",
  ],
])("tells %j in English and German", (rule, english, german) => {
  expect(ruleSentence(rule, en.words)).toBe(english);
  expect(ruleSentence(rule, de.words).replaceAll("\u00a0", " ")).toBe(german);
});
