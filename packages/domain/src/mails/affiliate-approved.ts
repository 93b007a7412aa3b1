import { type Block, greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface AffiliateApproved {
  organization_name: string;
  first_name: string;
  campaign_name: string;
  /** The campaign's own welcome message. */
  welcome_message: string | null;
  /** The affiliate's link, and the codes that customers can use. */
  links: string[];
  promo_codes: string[];
  /** Whether a promo code does not exist at the processor yet. */
  is_code_pending: boolean;
}

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `Welcome to ${organization}'s affiliate program`,
    heading: "You are approved",
    approved: (organization: string, campaign: string) =>
      `${organization} has approved you as an affiliate in “${campaign}”.`,
    link: "Your link",
    promo_code: (code: string) => `Your promo code: ${code}`,
    code_pending: "Your promo code is being created. We'll email you when customers can use it.",
    why: (organization: string) =>
      `You're receiving this email because you're an affiliate of ${organization}.`,
  },
  de: {
    subject: (organization) => `Willkommen im Affiliate-Programm von ${organization}`,
    heading: "Sie sind dabei",
    approved: (organization, campaign) =>
      `${organization} hat Sie in das Programm „${campaign}“ aufgenommen.`,
    link: "Ihr Link",
    promo_code: (code) => `Ihr Gutscheincode: ${code}`,
    code_pending:
      "Ihr Gutscheincode wird noch angelegt. Sie erhalten eine weitere E-Mail, sobald Kunden ihn einlösen können.",
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie am Affiliate-Programm von ${organization} teilnehmen.`,
  },
});

/** The mail to an approved affiliate. */
export function affiliateApproved(data: AffiliateApproved, language: MailLanguage): MailContent {
  const { organization_name, campaign_name } = data;
  const texts = textsIn(language);
  return {
    language,
    subject: texts.subject(organization_name),
    heading: texts.heading,
    blocks: [
      greeting(data, language),
      paragraph(texts.approved(organization_name, campaign_name)),
      ...welcome(data.welcome_message),
      ...data.links.map((url): Block => ({ kind: "link", label: texts.link, url })),
      ...data.promo_codes.map((code) => paragraph(texts.promo_code(code))),
      ...(data.is_code_pending ? [paragraph(texts.code_pending)] : []),
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}

function welcome(message: string | null): Block[] {
  return message === null || message.trim() === "" ? [] : [{ kind: "quote", text: message }];
}
