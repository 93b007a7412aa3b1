import type { MinimumPayouts } from "@findersfee/contract/settings";
import type { MinimumPayoutsRow } from "@findersfee/database/settings";
import { invalidField } from "../errors.ts";
import { toMajor, toMinor } from "../money.ts";

/** The least that a payout in a currency must amount to, in minor units; 0n: the currency has no minimum. */
export function minimumIn(currency: string, minimums: MinimumPayoutsRow): bigint {
  return BigInt(minimums[currency] ?? 0);
}

/**
 * Minimums in minor units. A minimum of 0 is no minimum and is not stored.
 *
 * @throws DomainError `invalid_request` for an amount with more decimals than its currency
 */
export function minimumsToRow(minimums: MinimumPayouts): MinimumPayoutsRow {
  const rows = Object.entries(minimums).map(([currency, amount]) => {
    const minor = toMinor(amount, currency);
    if (minor === null)
      throw invalidField(`minimum_payouts.${currency}`, `Has more decimals than ${currency}.`);
    return [currency, minor] as const;
  });
  return Object.fromEntries(
    rows.filter(([, minor]) => minor > 0n).map(([currency, minor]) => [currency, `${minor}`]),
  );
}

/** Minimums in major units, by currency. */
export function viewMinimums(minimums: MinimumPayoutsRow): MinimumPayouts {
  const currencies = Object.keys(minimums).sort();
  return Object.fromEntries(
    currencies.map((currency) => [currency, toMajor(minimumIn(currency, minimums), currency)]),
  );
}
