import { showAmount, showDay } from "./amounts.ts";
import { type Block, facts, type MailContent, paragraph } from "./content.ts";

export interface ClaimDecided {
  organization_name: string;
  first_name: string;
  /** As `YYYY-MM-DD`. */
  paid_on: string;
  /** The customer's, as the affiliate wrote it. */
  email: string;
  accepted: boolean;
  answer: string | null;
  /** The commission of an accepted claim; null: it was voided since. */
  commission: { commission_minor: bigint; currency: string } | null;
}

/** The languages of mails to affiliates. */
export type MailLanguage = "en" | "de";

const TEXTS = {
  en: {
    locale: "en-US",
    hello: (name: string) => (name === "" ? "Hello," : `Hello ${name},`),
    accepted_subject: (organization: string) => `${organization} accepted your missing sale`,
    accepted_heading: "Your missing sale was accepted",
    accepted: (organization: string) =>
      `${organization} checked the sale that you reported, and accepted it.`,
    declined_subject: (organization: string) => `${organization} declined your missing sale`,
    declined_heading: "Your missing sale was declined",
    declined: (organization: string) =>
      `${organization} checked the sale that you reported, and cannot accept it.`,
    customer: "Customer",
    day: "Day of the payment",
    commission: "Your commission",
    why: (organization: string) =>
      `You get this email because you reported a missing sale to ${organization}'s affiliate program.`,
  },
  de: {
    locale: "de-DE",
    hello: (name: string) => (name === "" ? "Guten Tag," : `Guten Tag ${name},`),
    accepted_subject: (organization: string) => `${organization} hat Ihren fehlenden Verkauf anerkannt`,
    accepted_heading: "Ihr fehlender Verkauf wurde anerkannt",
    accepted: (organization: string) =>
      `${organization} hat den Verkauf, den Sie gemeldet haben, geprüft und anerkannt.`,
    declined_subject: (organization: string) => `${organization} hat Ihren fehlenden Verkauf abgelehnt`,
    declined_heading: "Ihr fehlender Verkauf wurde abgelehnt",
    declined: (organization: string) =>
      `${organization} hat den Verkauf, den Sie gemeldet haben, geprüft und kann ihn nicht anerkennen.`,
    customer: "Kunde",
    day: "Tag der Zahlung",
    commission: "Ihre Provision",
    why: (organization: string) =>
      `Sie erhalten diese E-Mail, weil Sie dem Partnerprogramm von ${organization} einen fehlenden Verkauf gemeldet haben.`,
  },
} as const;

/** The mail to an affiliate after their claim was decided. */
export function claimDecided(data: ClaimDecided, language: MailLanguage): MailContent {
  const { organization_name, accepted, answer, commission } = data;
  const texts = TEXTS[language];
  const quoted: Block[] = answer === null ? [] : [{ kind: "quote", text: answer }];
  const { locale } = texts;
  return {
    subject: (accepted ? texts.accepted_subject : texts.declined_subject)(organization_name),
    heading: accepted ? texts.accepted_heading : texts.declined_heading,
    blocks: [
      paragraph(texts.hello(data.first_name.trim())),
      paragraph((accepted ? texts.accepted : texts.declined)(organization_name)),
      ...quoted,
      facts({
        [texts.customer]: data.email,
        [texts.day]: showDay(new Date(`${data.paid_on}T00:00:00Z`), locale),
        [texts.commission]:
          commission === null ? null : showAmount(commission.commission_minor, commission.currency, locale),
      }),
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}
