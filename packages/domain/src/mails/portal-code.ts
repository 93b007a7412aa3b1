import { type MailContent, paragraph } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

export interface PortalCode {
  /** Null: the mail names no organization, since the person neither asked on its pages nor agreed to be its affiliate. */
  organization_name: string | null;
  /** The campaign to join; null: a sign-in. */
  campaign_name: string | null;
  code: string;
  /** The only place where the code is accepted, beside the link. */
  url: string;
}

const textsIn = textsOf({
  en: {
    // The code is first, so that a notification on a phone shows it.
    subject: (code: string, organization: string | null) =>
      `${code} is your code for ${organization ?? "the affiliate portal"}`,
    sign_in: (organization: string | null) =>
      `Enter this code to sign in to ${organization === null ? "the" : `${organization}'s`} affiliate portal. It's valid for 15 minutes.`,
    join: (campaign: string, organization: string) =>
      `Enter this code to confirm your email and join “${campaign}” at ${organization}. It's valid for 15 minutes.`,
    host: (host: string) => `The code is accepted only at ${host}.`,
    sign_in_link: "Sign in without the code",
    join_link: "Join without the code",
    sign_in_unasked: "If you didn't ask for it, ignore this email. Nobody can sign in without the code.",
    join_unasked: "If you didn't fill in the form, ignore this email. Nobody can join without the code.",
  },
  de: {
    subject: (code, organization) => `${code} ist Ihr Code für ${organization ?? "das Affiliate-Portal"}`,
    sign_in: (organization) =>
      `Mit diesem Code melden Sie sich im Affiliate-Portal${organization === null ? "" : ` von ${organization}`} an. Er gilt 15 Minuten.`,
    join: (campaign, organization) =>
      `Mit diesem Code bestätigen Sie Ihre E-Mail-Adresse und treten „${campaign}“ von ${organization} bei. Er gilt 15 Minuten.`,
    host: (host) => `Der Code gilt nur auf ${host}.`,
    sign_in_link: "Ohne Code anmelden",
    join_link: "Ohne Code beitreten",
    sign_in_unasked:
      "Wenn Sie den Code nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code kann sich niemand anmelden.",
    join_unasked:
      "Wenn Sie das Formular nicht ausgefüllt haben, ignorieren Sie diese E-Mail. Ohne den Code kann niemand beitreten.",
  },
});

/**
 * The mail with the code by which a person signs in to the portal, or joins a campaign. It has no words of the person's form:
 * strangers could send them to anybody.
 */
export function portalCode(
  { organization_name, campaign_name, code, url }: PortalCode,
  language: MailLanguage,
): MailContent {
  const texts = textsIn(language);
  const joins = campaign_name !== null && organization_name !== null;
  return {
    language,
    subject: texts.subject(code, organization_name),
    heading: code,
    blocks: [
      paragraph(joins ? texts.join(campaign_name, organization_name) : texts.sign_in(organization_name)),
      paragraph(texts.host(new URL(url).host)),
      { kind: "link", label: joins ? texts.join_link : texts.sign_in_link, url },
    ],
    footer: [paragraph(joins ? texts.join_unasked : texts.sign_in_unasked)],
  };
}
