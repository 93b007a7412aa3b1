import type { invitations as english } from "../en/invitations.ts";

export const invitations: typeof english = {
  title: "Einladungen",
  title_one: "Sie haben eine Einladung",
  title_many: (count) => `Sie haben ${count} Einladungen`,
  show_all: (count) => `Alle ${count} anzeigen`,
  hint: (email) => `Gesendet an ${email}.`,
  invites: (organization, campaign) => `${organization} hat Sie als Affiliate in „${campaign}“ eingetragen.`,
  accept_means:
    "Wenn Sie annehmen, finden Sie das Programm in Ihrem Portal, mit Ihren Links, Provisionen und Auszahlungen, und die Organisation schreibt Ihnen dazu E-Mails.",
  disown_means:
    "Wenn sie nicht für Sie bestimmt ist, verschwindet sie hier, Sie bekommen keine E-Mails mehr dazu, und die Organisation sieht, dass Sie abgelehnt haben.",
  money_stays:
    "In beiden Fällen geht nichts verloren: Was Ihre Links und Codes verdienen, zählt weiter, und die Organisation zahlt es wie bisher aus.",
  accept: "Annehmen",
  disown: "Nicht für mich",
  none: "Keine offenen Einladungen",
  none_hint: "Organisationen, die Sie als Affiliate eintragen, stehen hier, bis Sie antworten.",
  to_portal: "Zu Ihrem Portal",
  sign_out: "Abmelden",
};
