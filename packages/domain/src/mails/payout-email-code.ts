import { type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

const textsIn = textsOf({
  en: {
    subject: (code: string, organization: string) => `${code} confirms your payout email for ${organization}`,
    enter: (organization: string) =>
      `Someone asked ${organization} to send an affiliate's payouts to this address. To confirm it, enter the code in the affiliate portal's settings. It's valid for 15 minutes, in the browser that asked for it.`,
    allow: (email: string) =>
      `Your affiliate portal was asked to send payouts to ${email}. To confirm it, enter this code there, along with the code sent to the new address. It's valid for 15 minutes.`,
    stolen:
      "If this wasn't you, someone has access to your account. Don't give the code to anyone, and end all other sessions in the portal's settings.",
    unasked: "If you didn't ask for it, ignore this email. Without the code, nothing changes.",
  },
  de: {
    subject: (code, organization) => `${code} bestätigt Ihre Auszahlungsadresse für ${organization}`,
    enter: (organization) =>
      `Jemand möchte, dass ${organization} die Auszahlungen eines Affiliates an diese Adresse sendet. Geben Sie den Code zur Bestätigung in den Einstellungen des Affiliate-Portals ein. Er gilt 15 Minuten, in dem Browser, in dem er angefordert wurde.`,
    unasked:
      "Wenn Sie den Code nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code ändert sich nichts.",
    allow: (email: string) =>
      `In Ihrem Affiliate-Portal soll die Auszahlungsadresse auf ${email} geändert werden. Geben Sie dort zur Bestätigung diesen Code ein, zusammen mit dem Code, der an die neue Adresse ging. Er gilt 15 Minuten.`,
    stolen:
      "Wenn Sie das nicht waren, hat jemand Zugriff auf Ihr Konto: Geben Sie den Code niemandem, und beenden Sie in den Einstellungen des Portals alle anderen Sitzungen.",
  },
});

/** The mail with a code to a new payout email. It has no words of the affiliate, who can have it sent to anybody. */
export function payoutEmailCode(
  { organization_name, code }: { organization_name: string; code: string },
  language: MailLanguage,
): MailContent {
  const texts = textsIn(language);
  return {
    language,
    subject: texts.subject(code, organization_name),
    heading: code,
    blocks: [paragraph(texts.enter(organization_name))],
    footer: [paragraph(texts.unasked)],
  };
}

/**
 * The mail with a code to the sign-in address. Only the owner of that address can change the payout email.
 */
export function payoutEmailOwnerCode(
  { organization_name, code, email }: { organization_name: string; code: string; email: string },
  language: MailLanguage,
): MailContent {
  const texts = textsIn(language);
  return {
    language,
    subject: texts.subject(code, organization_name),
    heading: code,
    blocks: [paragraph(texts.allow(email)), paragraph(texts.stolen)],
    footer: [],
  };
}
