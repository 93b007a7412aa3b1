import { greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface AffiliateLeft {
  organization_name: string;
  first_name: string;
  campaign_name: string;
}

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `You left ${organization}'s affiliate program`,
    heading: "You left the program",
    left: (campaign: string, organization: string) =>
      `You left “${campaign}” at ${organization}. Your links and promo codes no longer count.`,
    owed: "What you've earned so far will still be paid. In the portal, you can see your payouts and erase your data.",
    back: (organization: string) => `If this wasn't you, tell ${organization}. Only they can take you back.`,
    why: (organization: string) =>
      `You're receiving this email because you were an affiliate of ${organization}.`,
  },
  de: {
    subject: (organization) => `Sie sind aus dem Affiliate-Programm von ${organization} ausgetreten`,
    heading: "Sie sind aus dem Programm ausgetreten",
    left: (campaign, organization) =>
      `Sie sind aus „${campaign}“ von ${organization} ausgetreten. Ihre Links und Gutscheincodes zählen nicht mehr.`,
    owed: "Was Sie bisher verdient haben, wird noch ausgezahlt. Im Portal sehen Sie Ihre Auszahlungen und können Ihre Daten löschen.",
    back: (organization) =>
      `Wenn Sie nicht selbst ausgetreten sind, informieren Sie ${organization}: Nur dort kann man Sie wieder aufnehmen.`,
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie am Affiliate-Programm von ${organization} teilgenommen haben.`,
  },
});

/** The mail to an affiliate who left a program in the portal. */
export function affiliateLeft(data: AffiliateLeft, language: MailLanguage): MailContent {
  const { organization_name, campaign_name } = data;
  const texts = textsIn(language);
  return {
    language,
    subject: texts.subject(organization_name),
    heading: texts.heading,
    blocks: [
      greeting(data, language),
      paragraph(texts.left(campaign_name, organization_name)),
      paragraph(texts.owed),
      paragraph(texts.back(organization_name)),
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}
