import type { referrals as english } from "../en/referrals.ts";

export const referrals: typeof english = {
  title: "Empfehlungen",
  customer: "Kunde",
  status: "Stand",
  since: "Seit",
  earned: "Bisher verdient",
  earns: "Bringt Provision",
  statuses: {
    signed_up: "Registriert",
    trialing: "Im Probezeitraum",
    active: "Aktiv",
    past_due: "Zahlung überfällig",
    canceled: "Gekündigt",
  },
  bought: "Hat gekauft",
  until: (day) => `Bis ${day}`,
  ended: (day) => `Endete am ${day}`,
  payments_left: (count) => (count === 1 ? "Für 1 weitere Zahlung" : `Für ${count} weitere Zahlungen`),
  no_payments_left: "Keine Zahlungen mehr",
  always: "Ohne Ende",
  from_first: "Ab der ersten Zahlung",
  none: "Noch keine Empfehlungen",
  none_hint: "Wer sich nach einem Klick auf Ihren Link registriert oder kauft, erscheint hier.",
};
