import { showAmount, showDay } from "./amounts.ts";
import { type Block, facts, greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

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

const textsIn = textsOf({
  en: {
    accepted_subject: (organization: string) => `${organization} accepted the sale you reported`,
    accepted_heading: "The sale you reported was accepted",
    accepted: (organization: string) =>
      `${organization} checked the missing sale you reported and accepted it.`,
    declined_subject: (organization: string) => `${organization} declined the sale you reported`,
    declined_heading: "The sale you reported was declined",
    declined: (organization: string) =>
      `${organization} checked the missing sale you reported and can't accept it.`,
    customer: "Customer",
    day: "Payment date",
    commission: "Your commission",
    why: (organization: string) =>
      `You're receiving this email because you reported a missing sale to ${organization}'s affiliate program.`,
  },
  de: {
    accepted_subject: (organization) => `${organization} hat den von Ihnen gemeldeten Verkauf anerkannt`,
    accepted_heading: "Der von Ihnen gemeldete Verkauf wurde anerkannt",
    accepted: (organization) =>
      `${organization} hat den fehlenden Verkauf, den Sie gemeldet haben, geprüft und anerkannt.`,
    declined_subject: (organization) => `${organization} hat den von Ihnen gemeldeten Verkauf abgelehnt`,
    declined_heading: "Der von Ihnen gemeldete Verkauf wurde abgelehnt",
    declined: (organization) =>
      `${organization} hat den fehlenden Verkauf, den Sie gemeldet haben, geprüft und kann ihn nicht anerkennen.`,
    customer: "Kunde",
    day: "Zahlungsdatum",
    commission: "Ihre Provision",
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie dem Affiliate-Programm von ${organization} einen fehlenden Verkauf gemeldet haben.`,
  },
});

/** The mail to an affiliate after their claim was decided. */
export function claimDecided(data: ClaimDecided, language: MailLanguage): MailContent {
  const { organization_name, accepted, answer, commission } = data;
  const texts = textsIn(language);
  const quoted: Block[] = answer === null ? [] : [{ kind: "quote", text: answer }];
  return {
    language,
    subject: (accepted ? texts.accepted_subject : texts.declined_subject)(organization_name),
    heading: accepted ? texts.accepted_heading : texts.declined_heading,
    blocks: [
      greeting(data, language),
      paragraph((accepted ? texts.accepted : texts.declined)(organization_name)),
      ...quoted,
      facts({
        [texts.customer]: data.email,
        [texts.day]: showDay(new Date(`${data.paid_on}T00:00:00Z`), { language, time_zone: "UTC" }),
        [texts.commission]:
          commission === null ? null : showAmount(commission.commission_minor, commission.currency, language),
      }),
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}
