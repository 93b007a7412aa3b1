import type { FailureTexts } from "../failure-texts.ts";

export const failures: FailureTexts = {
  title: "Das hat nicht geklappt",
  unreachable:
    "Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.",
  unavailable: "Der Dienst ist im Moment nicht verfügbar. Versuchen Sie es gleich noch einmal.",
  busy: "Zu viele Versuche. Warten Sie etwas und versuchen Sie es dann noch einmal.",
  again_in: (seconds) => {
    if (seconds > 5400) return `Wieder möglich in ${Math.ceil(seconds / 3600)} h.`;
    return seconds > 90
      ? `Wieder möglich in ${Math.ceil(seconds / 60)} min.`
      : `Wieder möglich in ${seconds} s.`;
  },
  unknown: "Bei uns ist etwas schiefgegangen. Versuchen Sie es noch einmal.",
  crashed: "Diese Seite funktioniert gerade nicht",
  crashed_hint: "Der Fehler liegt bei uns. Neu laden hilft oft.",
  reload: "Neu laden",
  program_closed: "Das Programm nimmt keine neuen Affiliates mehr auf.",
  application_refused:
    "Das Programm nimmt von dieser Adresse keine Bewerbungen an. Wenn das ein Irrtum ist, wenden Sie sich an die Organisation.",
  codes: {
    sign_in_again:
      "Das lässt sich nicht rückgängig machen. Melden Sie sich bitte ab und wieder an, und wiederholen Sie es innerhalb von 15 Minuten.",
    invalid_request: "Diese Angaben können so nicht gespeichert werden.",
    not_found: "Das gibt es nicht oder nicht mehr.",
    session_expired: "Sie sind nicht mehr angemeldet.",
    link_invalid: "Dieser Link ist unvollständig, wurde schon benutzt oder ist abgelaufen.",
    code_invalid: "Der Code stimmt nicht.",
    not_an_affiliate: "Dieses Programm gehört nicht zu Ihrer Adresse.",
    embedded_session:
      "Das geht nicht im Portal innerhalb einer anderen Website. Öffnen Sie das Portal selbst.",
    staff_view:
      "Sie sehen dieses Portal als Mitglied der Organisation. Das kann nur die Person selbst, der es gehört.",
    affiliate_not_active: "Das sehen nur Affiliates, die in diesem Programm aktiv sind.",
    payout_email_changed:
      "Die Organisation hat Ihre Auszahlungsadresse inzwischen geändert. Es wurde nichts überschrieben; fordern Sie einen neuen Code an.",
    affiliate_owed: "Ihnen steht noch Geld zu. Ihre Daten können gelöscht werden, sobald es ausgezahlt ist.",
    unauthorized: "Sie sind nicht mehr angemeldet.",
    application_outdated:
      "Das Formular wurde inzwischen geändert. Öffnen Sie es neu, ergänzen Sie es und senden Sie es noch einmal ab.",
    claim_exists: "Diesen Verkauf haben Sie schon gemeldet.",
    application_decided: "Über Ihre Bewerbung wurde inzwischen entschieden. Es wurde nichts geändert.",
    forbidden_origin: "Öffnen Sie das Portal unter seiner öffentlichen Adresse.",
  },
};
