import { minorUnits } from "@findersfee/ui/formats/money";

/** An entry of the ledger, in major units. */
interface Entry {
  currency: string;
  unpaid: number;
  in_payout: number;
  paid: number;
}

interface Balance {
  currency: string;
  held: number;
  due: number;
  in_payout: number;
  paid: number;
}

/** The unpaid amounts after each of these entries, which are the last ones, newest first. */
export function balancesAfter(entries: readonly Entry[], balances: readonly Balance[]): number[] {
  const left = new Map(
    balances.map(({ currency, held, due }) => [
      currency,
      minorUnits(held, currency) + minorUnits(due, currency),
    ]),
  );
  return entries.map(({ currency, unpaid }) => {
    const after = left.get(currency) ?? 0;
    left.set(currency, after - minorUnits(unpaid, currency));
    return after;
  });
}

/** Whether all entries together are the balances, in each currency. */
export function addsUp(entries: readonly Entry[], balances: readonly Balance[]): boolean {
  const currencies = new Set([...entries, ...balances].map(({ currency }) => currency));
  return [...currencies].every((currency) => {
    const own = entries.filter((entry) => entry.currency === currency);
    const sumOf = (name: "unpaid" | "in_payout" | "paid") =>
      own.reduce((sum, entry) => sum + minorUnits(entry[name], currency), 0);
    const balance = balances.find((one) => one.currency === currency);
    const unpaid = minorUnits(balance?.held ?? 0, currency) + minorUnits(balance?.due ?? 0, currency);
    return (
      sumOf("unpaid") === unpaid &&
      sumOf("in_payout") === minorUnits(balance?.in_payout ?? 0, currency) &&
      sumOf("paid") === minorUnits(balance?.paid ?? 0, currency)
    );
  });
}
