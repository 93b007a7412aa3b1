import type { referrals as english } from "../en/referrals.ts";

export const referrals: typeof english = {
  title: "Empfehlungen",
  customer: "Kunde",
  status: "Status",
  since: "Seit",
  earned: "Bisher verdient",
  earns: "Provisions\u00ADdauer",
  statuses: {
    signed_up: "Registriert",
    trialing: "Im Testzeitraum",
    active: "Aktiv",
    past_due: "Zahlung überfällig",
    canceled: "Gekündigt",
  },
  bought: "Hat gekauft",
  until: (day) => `Bis ${day}`,
  ended: (day) => `Beendet am ${day}`,
  payments_left: (count) => (count === 1 ? "Für 1 weitere Zahlung" : `Für ${count} weitere Zahlungen`),
  no_payments_left: "Keine Zahlungen mehr",
  always: "Unbegrenzt",
  from_first: "Ab der ersten Zahlung",
  none: "Noch keine Empfehlungen",
  none_hint: "Wer sich nach einem Klick auf Ihren Link registriert oder kauft, erscheint hier.",
};
