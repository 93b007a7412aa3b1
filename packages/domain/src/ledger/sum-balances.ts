import type { BalanceTotal, ConvertedBalances } from "@findersfee/contract/reports/attention";
import { findExchangeRates } from "@findersfee/database/exchange-rates";
import { type BalanceSumRow, sumBalances as sumRows } from "@findersfee/database/ledger/balances";
import type { Context } from "../context.ts";
import { convert } from "../exchange-rates/convert.ts";
import { dayOf } from "../exchange-rates/list.ts";
import { toMajor } from "../money.ts";

/** The balances of all affiliates, by currency: held, due and in payouts. */
export async function sumBalances({ database, organization }: Context): Promise<BalanceTotal[]> {
  const rows = await sumRows(database, organization.id, new Date());
  return rows.map((row) => {
    const { currency, payees } = row;
    const { held, due, in_payout } = partsOf(row);
    return {
      currency,
      held: toMajor(held, currency),
      due: toMajor(due, currency),
      in_payout: toMajor(in_payout, currency),
      payees,
    };
  });
}

/**
 * The same in the organization's currency, added up. Each sum of a currency is converted and rounded once, at the rate of the day or
 * else the last one of the 7 days before. Currencies without a rate are left out, and named: nothing is guessed.
 */
export async function convertBalances(
  { database, organization }: Context,
  now: Date = new Date(),
): Promise<ConvertedBalances> {
  const { id, currency: to } = organization;
  const rows = await sumRows(database, id, now);
  const others = rows.filter(({ currency }) => currency !== to);
  const on_day = dayOf(now);
  const wanted = [...new Set(others.flatMap(({ currency }) => [currency, to]))];
  const found = await findExchangeRates(
    database,
    id,
    wanted.map((currency) => ({ currency, on_day })),
  );
  const rates = new Map(found.map((rate) => [rate.currency, rate]));
  const sums = { held: 0n, due: 0n, in_payout: 0n };
  const missing_rates: string[] = [];
  for (const row of rows) {
    const converted = Object.entries(partsOf(row)).map(
      ([name, minor]) =>
        [name as keyof typeof sums, convert(minor, { from: row.currency, to, rates })] as const,
    );
    if (converted.some(([, part]) => part === null)) missing_rates.push(row.currency);
    else for (const [name, part] of converted) sums[name] += part?.amount_minor ?? 0n;
  }
  const { held, due, in_payout } = sums;
  return {
    currency: to,
    held: toMajor(held, to),
    due: toMajor(due, to),
    in_payout: toMajor(in_payout, to),
    total: toMajor(held + due + in_payout, to),
    missing_rates,
  };
}

/** In minor units. */
function partsOf({ held_minor, unpaid_minor, in_payout_minor }: BalanceSumRow) {
  return { held: held_minor, due: unpaid_minor - held_minor, in_payout: in_payout_minor };
}
