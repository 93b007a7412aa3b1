import { showAmount, showDay, showPeriod } from "./amounts.ts";
import { facts, greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface PayoutPaid {
  organization_name: string;
  first_name: string;
  id: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  payment_count: number;
  method: "manual" | "paypal" | "wise";
  payout_email: string | null;
  paid_at: Date;
  /** The time zone of the day. */
  time_zone: string;
}

const METHODS = { manual: null, paypal: "PayPal", wise: "Wise" } as const;

const textsIn = textsOf({
  en: {
    subject: (organization: string, amount: string) => `${organization} paid you ${amount}`,
    heading: (amount: string) => `${amount} is on its way to you`,
    paid: (organization: string) =>
      `${organization} sent your payout. When the money arrives depends on how it was sent.`,
    amount: "Amount",
    paid_on: "Paid on",
    period: "Month",
    lines: "Commissions and adjustments",
    method: "Paid by",
    payout_email: "Paid to",
    reference: "Reference",
    why: (organization: string) =>
      `You're receiving this email because you're an affiliate of ${organization}.`,
  },
  de: {
    subject: (organization, amount) => `${organization} hat Ihnen ${amount} ausgezahlt`,
    heading: (amount) => `${amount} sind auf dem Weg zu Ihnen`,
    paid: (organization) =>
      `${organization} hat Ihre Auszahlung veranlasst. Wann das Geld ankommt, hängt vom Zahlungsweg ab.`,
    amount: "Betrag",
    paid_on: "Ausgezahlt am",
    period: "Monat",
    lines: "Provisionen und Anpassungen",
    method: "Ausgezahlt über",
    payout_email: "Ausgezahlt an",
    reference: "Referenz",
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie am Affiliate-Programm von ${organization} teilnehmen.`,
  },
});

/** The mail to an affiliate about a paid payout. */
export function payoutPaid(data: PayoutPaid, language: MailLanguage): MailContent {
  const { organization_name } = data;
  const texts = textsIn(language);
  const amount = showAmount(data.amount_minor, data.currency, language);
  return {
    language,
    subject: texts.subject(organization_name, amount),
    heading: texts.heading(amount),
    blocks: [
      greeting(data, language),
      paragraph(texts.paid(organization_name)),
      facts({
        [texts.amount]: amount,
        [texts.paid_on]: showDay(data.paid_at, { language, time_zone: data.time_zone }),
        [texts.period]: showPeriod(data.period, language),
        [texts.lines]: String(data.payment_count),
        [texts.method]: METHODS[data.method],
        [texts.payout_email]: data.payout_email,
        [texts.reference]: data.id,
      }),
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}
