import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { type MailContent, paragraph } from "./content.ts";

interface Words {
  subject(code: string, organization: string): string;
  enter(organization: string): string;
  unasked: string;
}

const WORDS: Record<PortalLanguage, Words> = {
  en: {
    subject: (code, organization) => `${code} confirms your payout email for ${organization}`,
    enter: (organization) =>
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
};

/** The mail with a code to a new payout email. It has no words of the affiliate, who can have it sent to anybody. */
export function payoutEmailCode({
  organization_name,
  language,
  code,
}: {
  organization_name: string;
  language: PortalLanguage;
  code: string;
}): MailContent {
  const words = WORDS[language];
  return {
    language,
    subject: words.subject(code, organization_name),
    heading: code,
    blocks: [paragraph(words.enter(organization_name))],
    footer: [paragraph(words.unasked)],
  };
}
