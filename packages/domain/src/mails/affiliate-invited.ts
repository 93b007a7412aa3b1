import { type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `${organization} invited you to its affiliate program`,
    heading: "You're invited",
    invited: (organization: string) =>
      `${organization} wants you as an affiliate: recommend what it sells, and earn a commission on what your customers pay.`,
    answer:
      "Sign in to the portal with this address to accept the invitation, or to say that it isn't yours.",
    why: (organization: string) =>
      `You're receiving this email because ${organization} entered your address. If you don't know the sender, ignore it: nothing happens.`,
  },
  de: {
    subject: (organization) => `${organization} lädt Sie in das eigene Affiliate-Programm ein`,
    heading: "Sie sind eingeladen",
    invited: (organization) =>
      `${organization} möchte Sie als Affiliate gewinnen: Sie empfehlen das Angebot und erhalten eine Provision auf die Zahlungen Ihrer Kunden.`,
    answer:
      "Melden Sie sich mit dieser Adresse im Portal an, um die Einladung anzunehmen oder zu sagen, dass sie nicht für Sie ist.",
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil ${organization} Ihre Adresse eingetragen hat. Wenn Sie den Absender nicht kennen, ignorieren Sie sie: Es geschieht nichts.`,
  },
});

/**
 * The mail to an affiliate that its organization added, and who has not agreed. It has no words of the organization but its name, and
 * leads to the portal alone: anybody can be added.
 */
export function affiliateInvited(organization_name: string, language: MailLanguage): MailContent {
  const texts = textsIn(language);
  return {
    language,
    subject: texts.subject(organization_name),
    heading: texts.heading,
    blocks: [paragraph(texts.invited(organization_name)), paragraph(texts.answer)],
    footer: [paragraph(texts.why(organization_name))],
  };
}
