import type { join as english } from "../en/join.ts";

export const join: typeof english = {
  title: (campaign) => `${campaign} beitreten`,
  programs: (organization) => `Affiliate-Programme von ${organization}`,
  programs_hint: "Werben Sie Kunden und erhalten Sie eine Provision, wenn sie bezahlen.",
  join: "Beitreten",
  closed: "Hier ist derzeit kein Programm verfügbar",
  closed_hint:
    "Vielleicht ist die Adresse falsch geschrieben, oder die Organisation nimmt neue Affiliates nur über einen eigenen Link auf. Fragen Sie dort nach dem Link.",
  already: "Schon Affiliate?",
  sign_in: "Anmelden",
  reviewed: (organization) => `${organization} prüft jede Bewerbung.`,
  website: (host) => `Sie empfehlen ${host}.`,
  free: "Die Teilnahme ist kostenlos. Ein Passwort brauchen Sie nicht.",
  form: (is_reviewed) => (is_reviewed ? "Ihre Bewerbung" : "Ihre Angaben"),
  first_name: "Vorname",
  last_name: "Nachname",
  email: "E-Mail",
  details: "Möchten Sie noch etwas hinzufügen?",
  choose: "Bitte wählen …",
  terms_before: "Ich stimme den ",
  terms: "Teilnahmebedingungen",
  terms_after: " zu",
  website_field: "Website",
  send: (is_reviewed) => (is_reviewed ? "Bewerbung absenden" : "Beitreten"),
  send_hint: "Sie bekommen per E-Mail einen Code, mit dem Sie Ihre Adresse bestätigen.",
  check_fields: "Prüfen Sie die markierten Felder.",
  form_changed:
    "Das Formular wurde inzwischen geändert. Vervollständigen Sie es und senden Sie es noch einmal ab.",
  code_hint: (email, is_reviewed) =>
    `Wir haben einen Code an ${email} geschickt. Damit ${is_reviewed ? "senden Sie Ihre Bewerbung ab" : "treten Sie bei"}.`,
  confirm: "Bestätigen",
  back: (is_reviewed) => (is_reviewed ? "Bewerbung ändern" : "Angaben ändern"),
  problems: {
    required: "Füllen Sie dieses Feld aus.",
    email: "Geben Sie eine E-Mail-Adresse wie name@beispiel.de ein.",
    choose: "Wählen Sie mindestens eine Antwort.",
    terms: "Stimmen Sie den Bedingungen zu, um beizutreten.",
    refused: "Diese Angabe wird nicht angenommen. Prüfen Sie sie bitte.",
    too_long: (most) => `Höchstens ${most} Zeichen.`,
  },
};
