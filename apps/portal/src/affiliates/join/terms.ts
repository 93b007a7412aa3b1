import type { PublicProgram } from "@findersfee/contract/portal/join";
import { formatMoney } from "@findersfee/ui/formats/money";
import type { terms as words } from "../../texts/en/terms.ts";

/** The parts of a campaign that its terms consist of. */
export type Terms = Pick<
  PublicProgram["campaign"],
  "commission_type" | "commission_amount" | "limit_type" | "limit_amount" | "first_payment_commission"
>;

/** The terms of a campaign, with its commissions for leads. */
export type Offered = Terms & Pick<PublicProgram["campaign"], "lead_commissions">;

interface Words {
  /** ISO 4217. */
  currency: string;
  locale: string;
  terms: typeof words;
}

type RateType = Terms["commission_type"];

/** A campaign's terms in one sentence: "You earn 30% of each payment for 12 months." */
export function termsSentence(
  { commission_type, commission_amount, limit_type, limit_amount, first_payment_commission: first }: Terms,
  { currency, locale, terms }: Words,
): string {
  const format = (type: RateType, amount: number) =>
    type === "percentage" ? percent(amount, locale) : formatMoney(amount, currency, locale);
  const rate = format(commission_type, commission_amount);
  const is_percentage = commission_type === "percentage";
  const payments = limit_type === "payments" ? (limit_amount ?? 1) : null;
  const is_first_only = payments === 1;
  if (first.enabled) {
    const first_rate = format(first.type, first.amount);
    const is_share = first.type === "percentage";
    if (is_first_only) return terms.earn(terms.first_payments(first_rate, is_share, 1));
    const later =
      payments === null ? terms.later(rate, is_percentage) : terms.later_up_to(rate, is_percentage, payments);
    return terms.earn(limited(terms.first_then(first_rate, is_share, later)));
  }
  return terms.earn(
    payments === null
      ? limited(terms.each_payment(rate, is_percentage))
      : terms.first_payments(rate, is_percentage, payments),
  );

  function limited(text: string): string {
    if (limit_type === "months") return terms.months(text, limit_amount ?? 1);
    return limit_type === "none" ? terms.unlimited(text) : text;
  }
}

/**
 * A campaign's offer to people who may join it: its terms, whether some payments earn another rate, and the
 * amounts for leads.
 */
export function offerSentences(campaign: Offered & { has_rules: boolean }, words: Words): string {
  const { has_rules, lead_commissions } = campaign;
  return [
    termsSentence(campaign, words),
    has_rules && words.terms.differs,
    leadsSentence(lead_commissions, words),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * The campaign's commissions for leads: "You also earn $5.00 per sign-up and $20.00 per trial." Null: none.
 */
export function leadsSentence(
  leads: PublicProgram["campaign"]["lead_commissions"],
  { currency, locale, terms }: Words,
): string | null {
  if (leads.length === 0) return null;
  const each = leads.map(({ kind, amount }) => terms.per_lead(formatMoney(amount, currency, locale), kind));
  return terms.also(new Intl.ListFormat(locale).format(each));
}

function percent(amount: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 }).format(amount / 100);
}
