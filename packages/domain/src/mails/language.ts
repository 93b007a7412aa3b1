import type { PortalLanguage } from "@findersfee/contract/portal/join-paths";

/** The languages of mails to affiliates. */
export type MailLanguage = PortalLanguage;

/** The formats of amounts and days in a language. */
export const LOCALES: Record<MailLanguage, string> = { en: "en-US", de: "de-DE" };

/** The texts of a mail by language. The English ones are the model of the others. */
export function textsOf<Texts>(texts: { en: Texts } & Record<Exclude<MailLanguage, "en">, NoInfer<Texts>>) {
  return (language: MailLanguage): Texts => texts[language];
}
