import type { tiers as english } from "../en/tiers.ts";

const periods = {
  month: "in diesem Monat",
  last_90_days: "in den letzten 90 Tagen",
  all_time: "insgesamt",
};

export const tiers: typeof english = {
  tier: "Ihre Stufe",
  none: "Sie haben noch keine Stufe.",
  progress: {
    customers: (number, from, period) => `${number} von ${from} Kunden ${periods[period]}`,
    revenue: (number, from, period) => `${number} von ${from} Umsatz ${periods[period]}`,
    commissions: (number, from, period) => `${number} von ${from} Provisionen ${periods[period]}`,
  },
  next: (name) => `Nächste Stufe: ${name}`,
  bonus: (amount) => `${amount} Bonus, wenn Sie sie erreichen`,
  highest: "Sie haben die höchste Stufe erreicht.",
  hint: "Stündlich aktualisiert. Ihre Stufe ändert sich über Nacht.",
  leaderboard: "Bestenliste",
  by_customers: (period) => `Nach Kunden ${periods[period]}`,
  customers: (count, is_one) => `${count} ${is_one ? "Kunde" : "Kunden"}`,
  you: "Sie",
  unnamed: "Affiliate",
  empty: "Noch hat niemand einen Kunden. Seien Sie der Erste.",
};
