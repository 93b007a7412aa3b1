import type { Texts } from "../texts.ts";

export const states: Texts["states"] = {
  waiting: (organization) => `${organization} prüft Ihre Bewerbung`,
  waiting_hint: (email) => `Sobald es eine Entscheidung gibt, bekommen Sie eine E-Mail an ${email}.`,
  declined: (organization) => `${organization} hat Ihre Bewerbung abgelehnt`,
  declined_hint: "Sie verdienen in diesem Programm nichts.",
  reason: "Begründung",
  banned: (organization) => `${organization} hat Ihr Konto geschlossen`,
  banned_hint: "Sie verdienen in diesem Programm nichts mehr, und seine Links zählen nicht.",
  left: (organization) => `Sie sind aus dem Programm von ${organization} ausgetreten`,
  left_hint: "Ihre Links zählen nicht mehr. Was Sie verdient haben, wird noch ausgezahlt.",
  owed: "Was Ihnen noch zusteht",
  nothing_owed: "Ihnen steht nichts mehr zu.",
  payouts: "Auszahlungen und Abrechnungen",
  contact: "Fragen?",
  write_to: (email) => `Schreiben Sie an ${email}`,
};
