import { showAmount, showDay } from "./amounts.ts";
import { type Block, facts, greeting, type MailContent, paragraph } from "./content.ts";

export interface NewPaidReferral {
  organization_name: string;
  first_name: string;
  campaign_name: string;
  website_url: string | null;
  /** The customer as the affiliate may see it. */
  customer: string;
  commission_minor: bigint;
  currency: string;
  payable_at: Date;
  /** The URL that turns off these emails; null: the service does not know its own address. */
  unsubscribe_url: string | null;
}

/** The mail to an affiliate after a referral's first commission. */
export function newPaidReferral(data: NewPaidReferral): MailContent {
  const { organization_name } = data;
  const amount = showAmount(data.commission_minor, data.currency);
  return {
    subject: `You earned ${amount} with ${organization_name}`,
    heading: "A new paid referral",
    blocks: [
      greeting(data),
      paragraph(`Somebody you referred to ${organization_name} has paid for the first time.`),
      facts({
        "Your commission": amount,
        Customer: data.customer,
        Campaign: data.campaign_name,
        "Can be paid out from": showDay(data.payable_at),
      }),
    ],
    footer: footer(data),
  };
}

function footer({ organization_name, website_url, unsubscribe_url }: NewPaidReferral): Block[] {
  const why = paragraph("You get this email because referral notifications are on.");
  if (unsubscribe_url !== null) {
    return [why, { kind: "link", label: "Turn off these emails", url: unsubscribe_url }];
  }
  const where = website_url === null ? "" : ` (${website_url})`;
  return [why, paragraph(`To turn off these emails, write to ${organization_name}${where}.`)];
}
