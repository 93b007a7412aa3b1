import { type Block, greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface AffiliateDeclined {
  organization_name: string;
  first_name: string;
  campaign_name: string;
  reason: string | null;
}

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `Your application to ${organization}'s affiliate program`,
    heading: "Your application was declined",
    declined: (organization: string, campaign: string) =>
      `Thank you for your interest in “${campaign}”. ${organization} can't accept you at this time.`,
    why: (organization: string) =>
      `You're receiving this email because you applied to ${organization}'s affiliate program.`,
  },
  de: {
    subject: (organization) => `Ihre Bewerbung für das Affiliate-Programm von ${organization}`,
    heading: "Ihre Bewerbung wurde abgelehnt",
    declined: (organization, campaign) =>
      `Vielen Dank für Ihr Interesse an „${campaign}“. ${organization} kann Sie derzeit leider nicht aufnehmen.`,
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie sich für das Affiliate-Programm von ${organization} beworben haben.`,
  },
});

/** The mail to an affiliate after their application was declined. */
export function affiliateDeclined(data: AffiliateDeclined, language: MailLanguage): MailContent {
  const { organization_name, campaign_name, reason } = data;
  const texts = textsIn(language);
  const quoted: Block[] = reason === null ? [] : [{ kind: "quote", text: reason }];
  return {
    language,
    subject: texts.subject(organization_name),
    heading: texts.heading,
    blocks: [
      greeting(data, language),
      paragraph(texts.declined(organization_name, campaign_name)),
      ...quoted,
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}
