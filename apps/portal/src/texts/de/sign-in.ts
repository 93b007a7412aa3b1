import type { sign_in as english } from "../en/sign-in.ts";

export const sign_in: typeof english = {
  title: "Im Affiliate-Portal anmelden",
  hint: "Sie bekommen einen Code per E-Mail. Ein Passwort gibt es nicht.",
  email: "E-Mail",
  email_missing: "Geben Sie die E-Mail-Adresse Ihres Affiliate-Kontos ein.",
  email_invalid: "Geben Sie eine E-Mail-Adresse wie name@beispiel.de ein.",
  send_code: "Code senden",
  code_title: "Code eingeben",
  code_hint: (email) => `Wenn ${email} zu einem Affiliate gehört, ist ein Code dorthin unterwegs.`,
  code: "Sechsstelliger Code",
  code_missing: "Geben Sie die sechs Ziffern aus der E-Mail ein.",
  code_wrong: "Dieser Code stimmt nicht. Prüfen Sie die E-Mail und versuchen Sie es noch einmal.",
  code_expired:
    "Dieser Code wurde schon benutzt, ist abgelaufen oder wurde in einem anderen Browser angefordert. Fordern Sie einen neuen an.",
  code_too_many:
    "Heute gab es zu viele falsche Codes für diese Adresse. Benutzen Sie stattdessen den Link in der E-Mail.",
  sign_in: "Anmelden",
  no_mail: "Keine E-Mail? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.",
  send_again: "Neuen Code senden",
  send_again_in: (seconds) => `Neuer Code in ${seconds} s`,
  sent_again: "Ein neuer Code ist unterwegs. Nur der neueste gilt.",
  change_email: "Andere E-Mail-Adresse",
  ended: "Ihre Sitzung ist beendet. Melden Sie sich noch einmal an.",
  mailed: "Melden Sie sich mit der Adresse an, an die die E-Mail ging.",
  opened: "Melden Sie sich an, um diese Seite zu sehen.",
  confirm_title: "Im Affiliate-Portal anmelden",
  confirm_hint: (email) =>
    `Mit dieser Schaltfläche melden Sie sich in diesem Browser als ${email} an. Wenn Sie das nicht sind, schließen Sie diese Seite.`,
  link_invalid: "Dieser Link gilt nicht mehr",
  link_invalid_hint:
    "Er ist unvollständig, wurde schon benutzt oder ist abgelaufen. Lassen Sie sich einen neuen Code schicken.",
  not_yet: "Noch kein Affiliate?",
  see_programs: "Zum Affiliate-Programm",
  request_code: "Mit einem Code anmelden",
};
