import { greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface PromoCodeReady {
  organization_name: string;
  first_name: string;
  promo_codes: string[];
}

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `Your promo code for ${organization}`,
    heading: "Your promo code is ready",
    works: "Customers can now use it at checkout, and their payments count for you.",
    promo_code: (code: string) => `Your promo code: ${code}`,
    why: (organization: string) =>
      `You're receiving this email because you're an affiliate of ${organization}.`,
  },
  de: {
    subject: (organization) => `Ihr Gutscheincode für ${organization}`,
    heading: "Ihr Gutscheincode ist aktiv",
    works: "Ab jetzt können Kunden ihn beim Bezahlen einlösen, und ihre Zahlungen zählen für Sie.",
    promo_code: (code) => `Ihr Gutscheincode: ${code}`,
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil Sie am Affiliate-Programm von ${organization} teilnehmen.`,
  },
});

/** The mail about a promo code that customers can use from now on. */
export function promoCodeReady(data: PromoCodeReady, language: MailLanguage): MailContent {
  const texts = textsIn(language);
  return {
    language,
    subject: texts.subject(data.organization_name),
    heading: texts.heading,
    blocks: [
      greeting(data, language),
      ...data.promo_codes.map((code) => paragraph(texts.promo_code(code))),
      paragraph(texts.works),
    ],
    footer: [paragraph(texts.why(data.organization_name))],
  };
}
