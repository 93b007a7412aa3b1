import { type Block, greeting, type MailContent, paragraph } from "./content.ts";

export interface AffiliateDeclined {
  organization_name: string;
  first_name: string;
  campaign_name: string;
  reason: string | null;
}

/** The mail to an affiliate after their application was declined. */
export function affiliateDeclined(data: AffiliateDeclined): MailContent {
  const { organization_name, campaign_name, reason } = data;
  const quoted: Block[] = reason === null ? [] : [{ kind: "quote", text: reason }];
  return {
    subject: `Your application to ${organization_name}'s affiliate program`,
    heading: "Your application was declined",
    blocks: [
      greeting(data),
      paragraph(
        `Thank you for your interest in “${campaign_name}”. ${organization_name} cannot accept you at this time.`,
      ),
      ...quoted,
    ],
    footer: [
      paragraph(`You get this email because you applied to ${organization_name}'s affiliate program.`),
    ],
  };
}
