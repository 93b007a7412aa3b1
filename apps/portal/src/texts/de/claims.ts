import type { claims as english } from "../en/claims.ts";

export const claims: typeof english = {
  title: "Fehlender Verkauf",
  hint: (organization) =>
    `Jemand hat über Sie gekauft, und Sie haben keine Provision bekommen? Melden Sie es, dann prüft ${organization} den Verkauf.`,
  email: "E-Mail-Adresse des Kunden",
  email_hint: "Die Adresse, mit der gekauft wurde.",
  email_missing: "Geben Sie die E-Mail-Adresse ein, mit der gekauft wurde.",
  email_invalid: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
  day: "Tag des Kaufs",
  day_missing: "Geben Sie den Tag des Kaufs ein.",
  day_future: "Geben Sie einen Tag ein, der nicht in der Zukunft liegt.",
  note: "Woran sieht man, dass der Kauf über Sie kam?",
  note_hint: "Zum Beispiel eine Bestellnummer, Ihr Beitrag oder eine Nachricht an Sie.",
  note_missing: "Schreiben Sie ein, zwei Sätze. Ohne einen Hinweis lässt sich nichts prüfen.",
  send: "Verkauf melden",
  limit: (most) => `Sie können in 24 Stunden bis zu ${most} Verkäufe melden.`,
  limit_reached: (most, time) =>
    `Sie haben in 24 Stunden ${most} Verkäufe gemeldet. Den nächsten können Sie ab ${time} melden.`,
  received: "Ihre Meldung ist angekommen",
  received_hint: (email, day, organization) =>
    `${organization} sucht nach einer Zahlung von ${email} um den ${day}. Die Antwort bekommen Sie per E-Mail.`,
  reported: "Ihre Meldungen",
  none_yet: "Noch keine Meldungen",
  none_yet_hint: "Hier stehen Ihre Meldungen mit den Antworten.",
  states: { open: "Wird geprüft", accepted: "Anerkannt", declined: "Abgelehnt" },
  bought_on: (day) => `Gekauft am ${day}`,
  reported_on: (day) => `gemeldet am ${day}`,
  your_words: "Ihre Meldung",
  answer: (organization) => `Antwort von ${organization}`,
  to_commission: "Zur Provision",
  older: "Ältere anzeigen",
};
