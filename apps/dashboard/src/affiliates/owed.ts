import { formatMoney } from "@findersfee/ui/formats/money";

/** Amounts that are not paid, due and held, side by side; null: nothing is owed. */
export function owedOf(balances: readonly { currency: string; held: number; due: number }[]): string | null {
  const owed = balances.filter(({ held, due }) => held + due > 0);
  if (owed.length === 0) return null;
  return owed.map(({ currency, held, due }) => formatMoney(held + due, currency)).join(" · ");
}
