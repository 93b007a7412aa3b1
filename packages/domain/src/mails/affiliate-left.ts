import { greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface AffiliateLeft {
  organization_name: string;
  first_name: string;
  campaign_name: string;
}

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `You have left ${organization}'s affiliate program`,
    heading: "You have left the program",
    left: (campaign: string, organization: string) =>
      `You have left “${campaign}” of ${organization}. Your links and promo codes do not count any more.`,
    owed: "What you have earned until now is still paid. In the portal you see your payouts, and can erase your data.",
    back: (organization: string) =>
      `If you did not leave yourself, tell ${organization}: only it can take you back.`,
    why: (organization: string) => `You get this email because you were an affiliate of ${organization}.`,
  },
  de: {
    subject: (organization) => `Sie haben das Partnerprogramm von ${organization} verlassen`,
    heading: "Sie haben das Programm verlassen",
    left: (campaign, organization) =>
      `Sie haben „${campaign}“ von ${organization} verlassen. Ihre Links und Gutscheincodes zählen nicht mehr.`,
    owed: "Was Sie bisher verdient haben, wird noch ausgezahlt. Im Portal sehen Sie Ihre Auszahlungen und können Ihre Daten löschen.",
    back: (organization) =>
      `Wenn Sie nicht selbst ausgetreten sind, sagen Sie ${organization} Bescheid: Nur dort kann man Sie wieder aufnehmen.`,
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie am Partnerprogramm von ${organization} teilgenommen haben.`,
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
