import type { commissions as english } from "../en/commissions.ts";

export const commissions: typeof english = {
  states: {
    in_review: "In Prüfung",
    held: "In der Wartezeit",
    due: "Fällig",
    pending: "In Auszahlung",
    paid: "Ausgezahlt",
    voided: "Storniert",
  },
  in_review: (organization) =>
    `${organization} prüft manche Provisionen vor der Auszahlung. Sie müssen nichts tun.`,
  held_until: (day) => `Wartezeit bis ${day}`,
  due_since: (day) => `Fällig seit ${day}`,
  in_payout_of: (month) => `In der Auszahlung für ${month}`,
  paid_in: (month) => `Ausgezahlt im ${month}`,
  arrived: (amount, customer) => `Neue Provision: ${amount} von ${customer}`,
  adjusted: (amount, reason) => `Ihr Saldo wurde angepasst: ${amount}, ${reason}`,
  arrived_many: (count) => `${count} neue Einnahmen`,
  sale_missing: "Fehlt ein Verkauf?",
};
