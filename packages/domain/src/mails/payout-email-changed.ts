import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";
import { showDay } from "./amounts.ts";
import { type Block, facts, type MailContent, paragraph } from "./content.ts";

interface Words {
  locale: string;
  subject(organization: string): string;
  heading: string;
  hello(name: string): string;
  changed(campaign: string, organization: string): string;
  was: string;
  is: string;
  on: string;
  none: string;
  own: string;
  foreign(support_email: string | null): string;
  settings: string;
  why(organization: string): string;
}

const WORDS: Record<PortalLanguage, Words> = {
  en: {
    locale: "en-US",
    subject: (organization) => `Your payout email for ${organization} was changed`,
    heading: "Your payout email was changed",
    hello: (name) => (name === "" ? "Hello," : `Hello ${name},`),
    changed: (campaign, organization) =>
      `Payouts for “${campaign}” of ${organization} now go to another address. It was changed in the affiliate portal, and confirmed by a code sent to the new address.`,
    was: "Before",
    is: "Now",
    on: "Changed on",
    none: "your sign-in address",
    own: "If you made this change, there is nothing to do.",
    foreign: (support_email) =>
      `If you did not, somebody has access to your account: in the settings of the portal, change the address back and end all other sessions. ${
        support_email === null
          ? "Then tell the organization, so that no payout goes to the wrong address."
          : `Then write to ${support_email}, so that no payout goes to the wrong address.`
      }`,
    settings: "Open the settings",
    why: (organization) =>
      `You get this email because it was your address for payouts or the sign-in at ${organization}.`,
  },
  de: {
    locale: "de-DE",
    subject: (organization) => `Ihre Auszahlungsadresse für ${organization} wurde geändert`,
    heading: "Ihre Auszahlungsadresse wurde geändert",
    hello: (name) => (name === "" ? "Guten Tag," : `Guten Tag ${name},`),
    changed: (campaign, organization) =>
      `Auszahlungen für „${campaign}“ von ${organization} gehen jetzt an eine andere Adresse. Sie wurde im Partnerportal geändert und mit einem Code bestätigt, der an die neue Adresse ging.`,
    was: "Bisher",
    is: "Jetzt",
    on: "Geändert am",
    none: "Ihre Anmeldeadresse",
    own: "Wenn Sie das selbst waren, brauchen Sie nichts zu tun.",
    foreign: (support_email) =>
      `Wenn nicht, hat jemand Zugriff auf Ihr Konto: Ändern Sie in den Einstellungen des Portals die Adresse zurück und beenden Sie alle anderen Sitzungen. ${
        support_email === null
          ? "Sagen Sie dann der Organisation Bescheid, damit keine Auszahlung an die falsche Adresse geht."
          : `Schreiben Sie dann an ${support_email}, damit keine Auszahlung an die falsche Adresse geht.`
      }`,
    settings: "Einstellungen öffnen",
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil dies bei ${organization} Ihre Adresse für Auszahlungen oder für die Anmeldung war.`,
  },
};

/** The mail to a former payout email and to the sign-in address about a new payout email, and how to undo it. */
export function payoutEmailChanged(data: {
  organization_name: string;
  support_email: string | null;
  first_name: string;
  campaign_name: string;
  email: string;
  former_email: string | null;
  changed_at: Date;
  language: PortalLanguage;
  /** Of the settings in the portal; null: unknown. */
  url: string | null;
}): MailContent {
  const { organization_name, language, url } = data;
  const words = WORDS[language];
  const links: Block[] = url === null ? [] : [{ kind: "link", label: words.settings, url }];
  return {
    language,
    subject: words.subject(organization_name),
    heading: words.heading,
    blocks: [
      paragraph(words.hello(data.first_name.trim())),
      paragraph(words.changed(data.campaign_name, organization_name)),
      facts({
        [words.was]: data.former_email ?? words.none,
        [words.is]: data.email,
        [words.on]: showDay(data.changed_at, words.locale),
      }),
      paragraph(words.own),
      paragraph(words.foreign(data.support_email)),
      ...links,
    ],
    footer: [paragraph(words.why(organization_name))],
  };
}
