import { showTime } from "./amounts.ts";
import { type Block, facts, greeting, type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface PayoutEmailChanged {
  organization_name: string;
  support_email: string | null;
  first_name: string;
  campaign_name: string;
  email: string;
  former_email: string | null;
  changed_at: Date;
  /** The time zone of the time. */
  time_zone: string;
  /** Of the settings in the portal; null: unknown. */
  url: string | null;
}

const textsIn = textsOf({
  en: {
    subject: (organization: string) => `Your payout email for ${organization} was changed`,
    heading: "Your payout email was changed",
    changed: (campaign: string, organization: string) =>
      `Your payouts from ${organization} for “${campaign}” now go to another address. It was changed in the affiliate portal.`,
    was: "Before",
    is: "Now",
    on: "Changed on",
    none: "your sign-in email",
    own: "If you made this change, you don't need to do anything.",
    foreign: (support_email: string | null) =>
      `If you didn't, someone has access to your account. In the portal's settings, change the address back and end all other sessions. ${
        support_email === null
          ? "Then tell the organization so that no payout goes to the wrong address."
          : `Then email ${support_email} so that no payout goes to the wrong address.`
      }`,
    settings: "Open the settings",
    why: (organization: string) =>
      `You're receiving this email because this was your payout or sign-in email at ${organization}.`,
  },
  de: {
    subject: (organization) => `Ihre Auszahlungsadresse für ${organization} wurde geändert`,
    heading: "Ihre Auszahlungsadresse wurde geändert",
    changed: (campaign, organization) =>
      `Ihre Auszahlungen von ${organization} für „${campaign}“ gehen jetzt an eine andere Adresse. Sie wurde im Affiliate-Portal geändert.`,
    was: "Bisher",
    is: "Jetzt",
    on: "Geändert am",
    none: "Ihre Anmeldeadresse",
    own: "Wenn Sie das selbst waren, brauchen Sie nichts zu tun.",
    foreign: (support_email) =>
      `Wenn nicht, hat jemand Zugriff auf Ihr Konto: Ändern Sie in den Einstellungen des Portals die Adresse zurück und beenden Sie alle anderen Sitzungen. ${
        support_email === null
          ? "Informieren Sie dann die Organisation, damit keine Auszahlung an die falsche Adresse geht."
          : `Schreiben Sie dann an ${support_email}, damit keine Auszahlung an die falsche Adresse geht.`
      }`,
    settings: "Einstellungen öffnen",
    why: (organization) =>
      `Sie erhalten diese E-Mail, weil dies bei ${organization} Ihre Adresse für Auszahlungen oder für die Anmeldung war.`,
  },
});

/** The mail to a former payout email and to the sign-in address about a new payout email, and how to undo it. */
export function payoutEmailChanged(data: PayoutEmailChanged, language: MailLanguage): MailContent {
  const { organization_name, url } = data;
  const texts = textsIn(language);
  const links: Block[] = url === null ? [] : [{ kind: "link", label: texts.settings, url }];
  return {
    language,
    subject: texts.subject(organization_name),
    heading: texts.heading,
    blocks: [
      greeting(data, language),
      paragraph(texts.changed(data.campaign_name, organization_name)),
      facts({
        [texts.was]: data.former_email ?? texts.none,
        [texts.is]: data.email,
        [texts.on]: showTime(data.changed_at, { language, time_zone: data.time_zone }),
      }),
      paragraph(texts.own),
      paragraph(texts.foreign(data.support_email)),
      ...links,
    ],
    footer: [paragraph(texts.why(organization_name))],
  };
}
