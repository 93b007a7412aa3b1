import type { RuleWords } from "@findersfee/ui/formats/rule-sentence";
import type { rules as english } from "../en/rules.ts";

/** Countries with an article, as they follow “aus”. */
const AFTER_AUS: Record<string, string> = {
  Dominikanische: "der Dominikanischen",
  Mongolei: "der Mongolei",
  Niederlande: "den Niederlanden",
  Philippinen: "den Philippinen",
  Schweiz: "der Schweiz",
  Slowakei: "der Slowakei",
  Türkei: "der Türkei",
  Ukraine: "der Ukraine",
  "Vereinigte Arabische Emirate": "den Vereinigten Arabischen Emiraten",
  "Vereinigte Staaten": "den Vereinigten Staaten",
  "Vereinigtes Königreich": "dem Vereinigten Königreich",
};
const WITH_ARTICLE = new RegExp(Object.keys(AFTER_AUS).join("|"), "g");

const payments: RuleWords["payments"] = ({ from = 1, to }) => {
  if (to === undefined) return from === 1 ? "alle Zahlungen" : `alle Zahlungen ab der ${from}.`;
  if (from === to) return from === 1 ? "die erste Zahlung" : `die ${from}. Zahlung`;
  return from === 1 ? `die ersten ${to} Zahlungen` : `die ${from}. bis ${to}. Zahlung`;
};

const words: RuleWords = {
  locale: "de-DE",
  nothing: "Nichts",
  reward: (reward, subject) => `${reward} für ${subject}`,
  any_payment: "jede Zahlung",
  some_payments: "Zahlungen",
  intervals: {
    day: "Tagesabos",
    week: "Wochenabos",
    month: "Monatsabos",
    year: "Jahresabos",
    one_time: "einmalige Käufe",
  },
  products: (products, count) => {
    if (count === 0) return "bestimmte Produkte";
    return `${count === 1 ? "das Produkt" : "die Produkte"} ${products}`;
  },
  lines_of: (lines, products) => `${lines} (${products})`,
  payments,
  in_payments: (range) => `(${payments(range)})`,
  months: ({ from = 1, to }) => {
    if (to === undefined) return from === 1 ? "in allen Monaten" : `ab dem ${from}. Monat`;
    if (from === 1) return to === 1 ? "im ersten Monat" : `in den ersten ${to} Monaten`;
    return from === to ? `im ${from}. Monat` : `vom ${from}. bis zum ${to}. Monat`;
  },
  countries: (countries) =>
    `von Kunden aus ${countries.replaceAll(WITH_ARTICLE, (name) => AFTER_AUS[name] ?? name)}`,
  currencies: (currencies) => `in ${currencies}`,
  amount: (from, below) => {
    if (from === null) return `unter ${below}`;
    return below === null ? `ab ${from}` : `ab ${from} bis unter ${below}`;
  },
  metadata: () => "unter weiteren Bedingungen",
  tiers: (names, count) => {
    if (names === null) return count === 1 ? "in einer der Stufen" : `in ${count} der Stufen`;
    return `${count === 1 ? "in der Stufe" : "in den Stufen"} ${names}`;
  },
  promo_codes: (codes, count) =>
    count === 1 ? `mit dem Gutscheincode ${codes}` : `mit einem der Gutscheincodes ${codes}`,
  more: (count) => `${count} weitere`,
};

export const rules: typeof english = {
  words,
  title: "Ihr Satz",
  own: "Mit Ihnen vereinbart:",
  otherwise: "Für alles andere:",
  limit: (type, count) => {
    if (type === "months") {
      return count === 1
        ? "Nur der erste Monat jedes Kunden zählt."
        : `Nur die ersten ${count} Monate jedes Kunden zählen.`;
    }
    return count === 1
      ? "Nur die erste Zahlung jedes Kunden zählt."
      : `Nur die ersten ${count} Zahlungen jedes Kunden zählen.`;
  },
  first_match: "Die erste Zeile, die zu einer Zahlung passt, gilt.",
};
