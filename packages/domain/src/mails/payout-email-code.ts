import { type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

const textsIn = textsOf({
  en: {
    subject: (code: string, organization: string) => `${code} confirms your payout email for ${organization}`,
    enter: (organization: string) =>
      `Somebody asked ${organization} to send an affiliate's payouts to this address. Enter the code in the settings of the affiliate portal to confirm it. It is valid for 15 minutes, in the browser that asked for it.`,
    unasked: "If you did not ask for it, ignore this email. Without the code, nothing changes.",
  },
  de: {
    subject: (code, organization) => `${code} bestätigt Ihre Auszahlungsadresse für ${organization}`,
    enter: (organization) =>
      `Jemand möchte, dass ${organization} die Auszahlungen eines Affiliates an diese Adresse sendet. Geben Sie den Code zur Bestätigung in den Einstellungen des Partnerportals ein. Er gilt 15 Minuten, in dem Browser, in dem er angefordert wurde.`,
    unasked:
      "Wenn Sie den Code nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code ändert sich nichts.",
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
