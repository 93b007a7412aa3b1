import { showAmount, showDay } from "./amounts.ts";
import { type Block, facts, greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

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
  /** Whether the organization has yet to approve the commission. */
  in_review: boolean;
  /** The time zone of the day. */
  time_zone: string;
  /** The URL that turns off these emails; null: the service does not know its own address. */
  unsubscribe_url: string | null;
}

const textsIn = textsOf({
  en: {
    subject: (amount: string, organization: string) => `You earned ${amount} with ${organization}`,
    heading: "One of your referrals paid",
    paid: (organization: string) => `Someone you referred to ${organization} paid for the first time.`,
    commission: "Your commission",
    customer: "Customer",
    campaign: "Program",
    payable_from: "Due on",
    status: "Status",
    in_review: "In review",
    checks: (organization: string) =>
      `${organization} checks some commissions before paying them. You don't need to do anything.`,
    why: "You're receiving this email because referral notifications are on.",
    turn_off: "Turn off these emails",
    turn_off_by: (organization: string) => `To turn off these emails, contact ${organization}.`,
  },
  de: {
    subject: (amount, organization) => `Sie haben ${amount} bei ${organization} verdient`,
    heading: "Eine Ihrer Empfehlungen hat bezahlt",
    paid: (organization) =>
      `Ein Kunde, den Sie für ${organization} geworben haben, hat zum ersten Mal bezahlt.`,
    commission: "Ihre Provision",
    customer: "Kunde",
    campaign: "Programm",
    payable_from: "Fällig am",
    status: "Status",
    in_review: "In Prüfung",
    checks: (organization) =>
      `${organization} prüft manche Provisionen vor der Auszahlung. Sie müssen nichts tun.`,
    why: "Sie erhalten diese E-Mail, weil Benachrichtigungen über neue zahlende Kunden eingeschaltet sind.",
    turn_off: "Diese E-Mails abbestellen",
    turn_off_by: (organization) => `Um diese E-Mails abzubestellen, wenden Sie sich an ${organization}.`,
  },
});

/** The mail to an affiliate after a referral's first commission. */
export function newPaidReferral(data: NewPaidReferral, language: MailLanguage): MailContent {
  const { organization_name } = data;
  const texts = textsIn(language);
  const amount = showAmount(data.commission_minor, data.currency, language);
  return {
    language,
    subject: texts.subject(amount, organization_name),
    heading: texts.heading,
    blocks: [
      greeting(data, language),
      paragraph(texts.paid(organization_name)),
      facts({
        [texts.commission]: amount,
        [texts.customer]: data.customer,
        [texts.campaign]: data.campaign_name,
        ...(data.in_review
          ? { [texts.status]: texts.in_review }
          : { [texts.payable_from]: showDay(data.payable_at, { language, time_zone: data.time_zone }) }),
      }),
      ...(data.in_review ? [paragraph(texts.checks(organization_name))] : []),
    ],
    footer: footer(data, language),
  };
}

function footer(
  { organization_name, website_url, unsubscribe_url }: NewPaidReferral,
  language: MailLanguage,
): Block[] {
  const texts = textsIn(language);
  if (unsubscribe_url !== null) {
    return [paragraph(texts.why), { kind: "link", label: texts.turn_off, url: unsubscribe_url }];
  }
  const where = website_url === null ? "" : ` (${website_url})`;
  return [paragraph(texts.why), paragraph(texts.turn_off_by(`${organization_name}${where}`))];
}
