import { describe, expect, it } from "vitest";
import { terms as de } from "../../texts/de/terms.ts";
import { terms as en } from "../../texts/en/terms.ts";
import { leadsSentence, type Terms, termsSentence } from "./terms.ts";

const NONE = { enabled: false, type: "percentage", amount: 0 } as const;
const FIFTY = { enabled: true, type: "percentage", amount: 50 } as const;
const TEN = { enabled: true, type: "fixed", amount: 10 } as const;

function terms(
  type: "percentage" | "fixed",
  amount: number,
  limit: [Terms["limit_type"], number | null],
  first: Terms["first_payment_commission"] = NONE,
): Terms {
  const [limit_type, limit_amount] = limit;
  return {
    commission_type: type,
    commission_amount: amount,
    limit_type,
    limit_amount,
    first_payment_commission: first,
  };
}

describe("the terms in one sentence", () => {
  it.each<[Terms, string, string]>([
    [
      terms("percentage", 30, ["months", 12]),
      "You earn 30% of each payment for 12 months.",
      "Sie verdienen 30 % jeder Zahlung, 12 Monate lang.",
    ],
    [
      terms("percentage", 12.5, ["none", null]),
      "You earn 12.5% of each payment, for as long as the customer pays.",
      "Sie verdienen 12,5 % jeder Zahlung, solange der Kunde zahlt.",
    ],
    [
      terms("fixed", 20, ["payments", 3]),
      "You earn $20.00 for each customer’s first 3 payments.",
      "Sie verdienen 20,00 $ für jede der ersten 3 Zahlungen jedes Kunden.",
    ],
    [
      terms("fixed", 20, ["payments", 1]),
      "You earn $20.00 for each customer’s first payment.",
      "Sie verdienen 20,00 $ für die erste Zahlung jedes Kunden.",
    ],
    [
      terms("percentage", 30, ["months", 1], FIFTY),
      "You earn 50% of each customer’s first payment, then 30% of every payment after that for a month.",
      "Sie verdienen 50 % der ersten Zahlung jedes Kunden, danach 30 % jeder weiteren, einen Monat lang.",
    ],
    [
      terms("fixed", 5, ["payments", 4], TEN),
      "You earn $10.00 for each customer’s first payment, then $5.00 for every payment after that, up to 4 payments in total.",
      "Sie verdienen 10,00 $ für die erste Zahlung jedes Kunden, danach 5,00 $ für jede weitere, insgesamt für 4 Zahlungen.",
    ],
    [
      terms("percentage", 30, ["payments", 1], TEN),
      "You earn $10.00 for each customer’s first payment.",
      "Sie verdienen 10,00 $ für die erste Zahlung jedes Kunden.",
    ],
  ])("%#", (given, english, german) => {
    const plain = (text: string) => text.replaceAll(/\s/g, " ");
    expect(plain(termsSentence(given, { currency: "USD", locale: "en-US", terms: en }))).toBe(english);
    expect(plain(termsSentence(given, { currency: "USD", locale: "de-DE", terms: de }))).toBe(german);
  });
});

describe("what leads earn, in one sentence", () => {
  const LEADS = [
    { kind: "signup", amount: 5 },
    { kind: "trial", amount: 20 },
    { kind: "demo_booked", amount: 12.5 },
  ];

  it.each([
    ["en-US", en, "You also earn $5.00 per sign-up, $20.00 per trial, and $12.50 per demo booked."],
    [
      "de-DE",
      de,
      "Außerdem verdienen Sie 5,00 $ je Registrierung, 20,00 $ je Testphase und 12,50 $ je „demo booked“.",
    ],
  ])("%s", (locale, terms, sentence) => {
    expect(leadsSentence(LEADS, { currency: "USD", locale, terms })?.replaceAll(/\s/g, " ")).toBe(sentence);
    expect(leadsSentence([], { currency: "USD", locale, terms })).toBeNull();
  });
});
