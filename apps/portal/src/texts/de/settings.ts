import type { settings as english } from "../en/settings.ts";

export const settings: typeof english = {
  title: "Einstellungen",
  save: "Speichern",
  saved: "Gespeichert",
  cancel: "Abbrechen",
  names: "Ihr Name",
  names_hint: "Auf diesen Namen lauten Auszahlungen und Abrechnungen.",
  first_name: "Vorname",
  last_name: "Nachname",
  payout_email: "Auszahlungsadresse",
  payout_email_hint:
    "An diese E-Mail-Adresse gehen Ihre Auszahlungen. Eine Änderung melden wir an Ihre bisherigen Adressen. Danach warten Auszahlungen drei Tage.",
  payout_email_default: "Ihre Anmeldeadresse, bis Sie eine andere wählen.",
  use_sign_in_address: "Anmeldeadresse verwenden",
  change_address: "Ändern",
  payout_email_changed: "Geändert",
  new_address: "Neue Auszahlungsadresse",
  address_invalid: "Geben Sie eine E-Mail-Adresse wie name@beispiel.de ein.",
  address_same: "Das ist bereits Ihre Auszahlungsadresse.",
  send_code: "Code senden",
  code_hint: (email) =>
    email === null
      ? "Der Code ist abgelaufen. Lassen Sie sich einen neuen schicken."
      : `Wir haben einen Code an ${email} geschickt.`,
  sign_in_code: "Code an Ihre Anmeldeadresse",
  sign_in_code_hint: (email) =>
    `Einen weiteren haben wir an ${email} geschickt, damit niemand sonst ändern kann, wohin Ihre Auszahlungen gehen.`,
  new_address_code: "Code an die neue Adresse",
  codes_wrong: "Einer der Codes stimmt nicht.",
  code_expired:
    "Dieser Code wurde schon benutzt, ist abgelaufen oder wurde in einem anderen Browser angefordert. Fordern Sie einen neuen an.",
  code_too_many: "Heute gab es zu viele falsche Codes. Versuchen Sie es morgen noch einmal.",
  address_refused:
    "Das Programm zahlt nichts an diese Adresse aus. Wenden Sie sich an die Organisation oder verwenden Sie eine andere.",
  confirm: "Bestätigen",
  other_address: "Neuen Code senden",
  language_of: "Für dieses Portal und unsere E-Mails an Sie",
  notifications: "E-Mails",
  notifications_hint: "Zu Ihren Auszahlungen und gemeldeten Verkäufen erhalten Sie immer E-Mails.",
  new_paid_referral: "Neue zahlende Kunden",
  new_paid_referral_hint: "Eine E-Mail, wenn jemand, den Sie geworben haben, zum ersten Mal zahlt.",
  sessions: "Sitzungen",
  sessions_hint: "Die Browser, in denen Sie angemeldet sind.",
  this_browser: "dieser Browser",
  unknown_device: "Unbekannter Browser",
  device: (browser, system) => `${browser} auf ${system}`,
  signed_in: (day) => `angemeldet am ${day}`,
  last_used: (day) => `zuletzt benutzt am ${day}`,
  end: "Beenden",
  end_session: (device) => `Sitzung beenden: ${device}`,
  end_others: "Alle anderen beenden",
  others_ended: "Alle anderen sind beendet",
  answers: "Ihre Antworten",
  answers_hint:
    "Was Sie beim Beitritt geschrieben haben. Für Korrekturen wenden Sie sich an die Organisation.",
  about_you: "Über Sie",
  data: "Ihre Daten",
  data_hint:
    "Alles, was in diesem Programm über Sie gespeichert ist: Profil, Links, geworbene Kunden, Provisionen, Auszahlungen, Meldungen und Sitzungen.",
  files: { "data.json": "Alles (JSON)", "commissions.csv": "Einnahmen (CSV)" },
  file_names: { "data.json": "affiliate-daten", "commissions.csv": "einnahmen" },
  leaving: "Austreten",
  leaving_hint: (organization) =>
    `Sie können aus dem Programm von ${organization} austreten und Ihre Daten löschen lassen.`,
  leave: "Aus dem Programm austreten",
  leave_title: "Aus dem Programm austreten?",
  leave_links: "Ihre Links und Gutscheincodes zählen ab sofort nicht mehr.",
  leave_later:
    "An späteren Zahlungen verdienen Sie nichts, auch nicht von Kunden, die Sie schon geworben haben.",
  leave_owed: "Was Sie verdient haben, wird wie bisher ausgezahlt:",
  nothing_owed: "Im Moment steht Ihnen nichts zu.",
  leave_back: (organization) => `Nur ${organization} kann Sie wieder aufnehmen.`,
  erase: "Meine Daten löschen",
  erase_title: "Ihre Daten löschen?",
  erase_what:
    "Ihr Name, Ihre Adressen, Antworten, Links und Codes werden gelöscht. Das lässt sich nicht rückgängig machen.",
  erase_kept:
    "Beträge, Provisionen und Auszahlungen bleiben gespeichert, weil die Buchhaltung es verlangt. Bei Auszahlungen bleiben auch Name und Adresse des Empfängers.",
  erase_ends: "Sie treten damit aus dem Programm aus und sehen es hier nicht mehr.",
  erase_refused:
    "Ihr Saldo ist nicht null. Ohne Ihren Namen und Ihre Adresse lässt er sich nicht ausgleichen. Sie können Ihre Daten löschen, sobald dies ausgezahlt ist:",
  erase_instead:
    "Sie können jetzt austreten und Ihre Daten nach der letzten Auszahlung löschen. Laden Sie sie vorher herunter.",
  erase_later: "Laden Sie Ihre Daten herunter und kommen Sie nach der letzten Auszahlung wieder.",
  erased: "Ihre Daten sind gelöscht",
  erased_hint: (organization) => `${organization} hat Ihren Namen und Ihre Adressen nicht mehr.`,
  type_address: (email) => `Geben Sie zur Bestätigung ${email} ein`,
  type_address_wrong: "Das ist nicht die Adresse, mit der Sie sich angemeldet haben.",
  owed_parts: {
    due: "Fällig",
    below_zero: "Negativ, durch Erstattungen",
    held: "In der Wartezeit, falls Kunden Geld zurückbekommen",
    in_payout: "In Auszahlung",
  },
};
