import type { StateTone } from "../src/components/state.tsx";
import { ARABIC, LONG, MARKUP } from "./texts.ts";

export interface SampleRow {
  id: string;
  customer: string;
  affiliate: string;
  amount: number;
  currency: string;
  at: string;
  tone: StateTone;
  state: string;
}

const NAMES = ["Jane Doe", ARABIC, "Max Roe", MARKUP, LONG, "Kim Lee"];
const STATES: [StateTone, string][] = [
  ["done", "Commission"],
  ["none", "Nobody brought the customer"],
  ["warning", "Affiliate not approved"],
  ["held", "Held until Dec 6"],
  ["failed", "Failed"],
  ["stopped", "Voided"],
  ["waiting", "Waiting"],
];
const CURRENCIES = ["USD", "EUR", "JPY", "KWD"];

export const ROWS: SampleRow[] = Array.from({ length: 50 }, (_, index) => {
  const [tone, state] = STATES[index % STATES.length] ?? ["none", ""];
  return {
    id: `0199d3a1-6a7e-7c44-9a51-${String(index).padStart(12, "0")}`,
    customer: `customer${index}@example.com`,
    affiliate: NAMES[index % NAMES.length] ?? "",
    amount: [49, -4.9, 1200, 1_234_567.89, 0.125][index % 5] ?? 0,
    currency: CURRENCIES[index % CURRENCIES.length] ?? "USD",
    at: new Date(Date.UTC(2026, 10, 21, 9, 30) - index * 3_600_000 * 7).toISOString(),
    tone,
    state,
  };
});
