import { formatMoney } from "@findersfee/ui/formats/money";

/** Amounts side by side: currencies are never added up. */
export function amountsOf(amounts: readonly { currency: string; amount: number }[]): string {
  return amounts.map(({ currency, amount }) => formatMoney(amount, currency)).join(" · ");
}

/** The organization's own currency first, and the others by name. */
export function homeFirst<Total extends { currency: string }>(
  totals: readonly Total[],
  home: string,
): Total[] {
  const rank = ({ currency }: Total) => (currency === home ? "" : currency);
  return [...totals].sort((a, b) => rank(a).localeCompare(rank(b)));
}
