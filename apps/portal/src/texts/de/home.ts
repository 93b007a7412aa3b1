import type { home as english } from "../en/home.ts";
import { tiers } from "./tiers.ts";

export const home: typeof english = {
  tiers,

  next_payout: "Ihre nächste Auszahlung",
  balance: "Ihr Saldo",
  next_payout_on: (day) => `Ihre nächste Auszahlung am ${day}`,
  included: (day) => `Dieser Betrag wird am ${day} ausgezahlt.`,
  included_by_hand: (organization) =>
    `Dieser Betrag wird ausgezahlt, sobald ${organization} eine Auszahlung startet.`,
  below_minimum: (minimum) => `Ausgezahlt wird ab ${minimum}.`,
  below_minimum_missing: (missing) => `Es fehlen noch ${missing}.`,
  negative:
    "Erstattungen bereits ausgezahlter Provisionen übersteigen, was Sie seitdem verdient haben. Spätere Einnahmen werden zuerst damit verrechnet.",
  carried_forward: (amount) =>
    `${amount} werden vorgetragen: Spätere Einnahmen werden zuerst damit verrechnet. Darin enthalten:`,
  held: (day) => `Am ${day} wird nichts ausgezahlt: Bis dahin ist alles noch in der Wartezeit.`,
  held_by_hand: "Alles ist noch in der Wartezeit.",
  withheld: (organization) =>
    `${organization} hat Ihre Auszahlungen angehalten. Fragen Sie dort nach, wann dieser Betrag ausgezahlt wird.`,
  withheld_until: (day, organization) =>
    `Ihre Auszahlungsadresse wurde geändert. Zur Sicherheit wird bis ${day} nichts ausgezahlt, es sei denn, ${organization} gibt es frei.`,
  nothing: "Im Moment steht nichts zur Auszahlung an.",
  nothing_yet: "Sie haben noch nichts verdient.",
  due: "Fällig",
  held_label: "In der Wartezeit",
  held_hint: "Für Provisionen gilt eine Wartezeit von einigen Tagen, falls jemand den Kauf rückgängig macht.",
  held_until: (day) => `Bis ${day}`,
  held_and_later: (day) => `Spätestens bis ${day}`,
  in_payout: "In Auszahlung",
  paid: "Bisher ausgezahlt",
  due_and_held: (due, waiting) => `${due} fällig, ${waiting} noch nicht fällig`,
  payouts_go_to: (email) => `Auszahlungen gehen an ${email}.`,

  share: "Ihre Links und Codes",
  link: "Ihr Link",
  promo_code: "Ihr Gutscheincode",
  promo_code_pending:
    "Ihr Gutscheincode wird noch angelegt. Sie erhalten eine E-Mail, sobald Kunden ihn einlösen können.",
  nothing_to_share:
    "Sie haben noch keinen Link und keinen Gutscheincode. Fragen Sie die Organisation danach.",
  copy_link: "Link kopieren",
  qr: "QR-Code",
  qr_of: (url) => `QR-Code von ${url}`,
  download_qr: "Als SVG herunterladen",
  other_page: "Link auf eine andere Seite",
  page: (website) => `Eine Seite von ${website}`,
  page_example: (website) => `${website}/preise`,
  page_invalid: "Geben Sie die Adresse einer Seite ein.",
  page_elsewhere: (website) =>
    `Diese Seite gehört nicht zu ${website}: Nur dort können Klicks für Sie gezählt werden.`,
  sub_id: "Sub-ID",
  sub_id_hint:
    "Ein eigener Name wie newsletter oder video-12. Weiter unten sehen Sie die Ergebnisse jeder Sub-ID.",
  sub_id_invalid:
    "Erlaubt sind höchstens 64 Buchstaben ohne Umlaute, Ziffern, Punkte, Binde- und Unterstriche.",
  which_link: "Link",
  built: "Ihr Link auf diese Seite",

  last_days: "Letzte 30 Tage",
  clicks: "Klicks",
  signups: "Registrie\u00ADrungen",
  converted: "Erste Käufe",
  earned: "Verdient",
  summary: (label, total) => `${label} nach Tagen, insgesamt ${total}`,
  days_in: (time_zone) => `Tage in der Zeitzone ${time_zone}.`,
  clicks_hint:
    "Wer einen Link mehrmals in einer Stunde öffnet, zählt einmal. Registrierungen und erste Käufe zählen alle.",
  no_clicks: "Teilen Sie Ihren Link. Klicks erscheinen hier innerhalb einer Minute.",

  sub_ids: "Nach Sub-ID",
  no_sub_ids:
    "In den letzten 30 Tagen gab es keine Klicks mit einer Sub-ID. Ergänzen Sie oben eine in Ihrem Link.",
  sub_ids_hint:
    "Letzte 30 Tage, nach Tagen in UTC. Wer einen Link mehrmals in einer Stunde öffnet, zählt einmal.",
  more_sub_ids: (count) => `Gezeigt werden die ${count} erfolgreichsten.`,

  newest: "Neueste Einnahmen",
  all_earnings: "Alle Einnahmen",
  no_commissions: "Ihre erste Provision erscheint hier, sobald jemand bezahlt hat.",

  from: (organization) => `Von ${organization}`,
  more: "Alles anzeigen",
  less: "Weniger anzeigen",
};
