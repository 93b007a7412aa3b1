import { type Block, greeting, type MailContent, paragraph } from "./content.ts";

export interface AffiliateApproved {
  organization_name: string;
  first_name: string;
  campaign_name: string;
  /** The campaign's own welcome message. */
  welcome_message: string | null;
  /** The affiliate's link and codes. */
  links: string[];
  promo_codes: string[];
}

/** The mail to an approved affiliate. */
export function affiliateApproved(data: AffiliateApproved): MailContent {
  const { organization_name, campaign_name } = data;
  return {
    subject: `Welcome to ${organization_name}'s affiliate program`,
    heading: "You are approved",
    blocks: [
      greeting(data),
      paragraph(`${organization_name} has approved you as an affiliate in “${campaign_name}”.`),
      ...welcome(data.welcome_message),
      ...data.links.map((url): Block => ({ kind: "link", label: "Your link", url })),
      ...data.promo_codes.map((code) => paragraph(`Your promo code: ${code}`)),
    ],
    footer: [paragraph(`You get this email because you are an affiliate of ${organization_name}.`)],
  };
}

function welcome(message: string | null): Block[] {
  return message === null || message.trim() === "" ? [] : [{ kind: "quote", text: message }];
}
