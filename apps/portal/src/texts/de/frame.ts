import type { frame as english } from "../en/frame.ts";

export const frame: typeof english = {
  portal: "Affiliate-Portal",
  language: "Sprache",
  menu: "Menü",
  more: "Mehr",
  pages: "Seiten",
  home: "Übersicht",
  earnings: "Einnahmen",
  referrals: "Empfehlungen",
  payouts: "Auszahlungen",
  settings: "Einstellungen",
  missing_sale: "Fehlender Verkauf",
  signed_in_as: "Angemeldet als",
  programs: "Programme",
  sign_out: "Abmelden",
  not_found: "Diese Seite gibt es nicht",
  not_found_hint: "Vielleicht ist die Adresse falsch geschrieben, oder die Seite wurde entfernt.",
  to_portal: "Zu Ihrem Portal",
  terms: "Teilnahmebedingungen",
  support: (email) => `Hilfe: ${email}`,
  loading: "Wird geladen …",
  offline: "Sie sind offline. Was Sie sehen, kann veraltet sein.",
  no_programs: "Zu dieser Adresse gehört kein Programm",
  no_programs_hint: (email) =>
    `${email} ist nicht mehr die Adresse eines Affiliates. Melden Sie sich mit einer anderen Adresse an oder fragen Sie die Organisation.`,
};
