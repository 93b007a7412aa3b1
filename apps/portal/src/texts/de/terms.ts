import type { terms as english } from "../en/terms.ts";

export const terms: typeof english = {
  each_payment: (rate, is_percentage) => `${rate} ${is_percentage ? "jeder" : "für jede"} Zahlung`,
  first_payments: (rate, is_percentage, count) => {
    if (count === 1) return `${rate} ${is_percentage ? "der ersten" : "für die erste"} Zahlung jedes Kunden`;
    return `${rate} ${is_percentage ? "der" : "für jede der"} ersten ${count} Zahlungen jedes Kunden`;
  },
  first_then: (first, is_percentage, later) =>
    `${first} ${is_percentage ? "der ersten Zahlung" : "für die erste Zahlung"} jedes Kunden, danach ${later}`,
  later: (rate, is_percentage) => `${rate} ${is_percentage ? "jeder weiteren" : "für jede weitere"}`,
  later_up_to: (rate, is_percentage, count) =>
    `${rate} ${is_percentage ? "jeder weiteren" : "für jede weitere"}, insgesamt für ${count} Zahlungen`,
  months: (text, count) => `${text}, ${count === 1 ? "einen Monat" : `${count} Monate`} lang`,
  unlimited: (text) => `${text}, solange der Kunde zahlt`,
  earn: (text) => `Sie verdienen ${text}.`,
  also: (leads) => `Außerdem verdienen Sie ${leads}.`,
  per_lead: (amount, kind) => {
    const names: Record<string, string> = { signup: "Registrierung", trial: "Testphase" };
    return `${amount} je ${names[kind] ?? `„${kind.replaceAll("_", " ")}“`}`;
  },
  differs: "Für manche Zahlungen gilt ein anderer Satz.",
};
