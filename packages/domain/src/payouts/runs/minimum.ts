import type { Issue } from "@findersfee/contract/errors";
import type { MinimumPayouts } from "@findersfee/contract/organizations";
import type { MinimumPayoutsRow } from "@findersfee/database/organizations/settings";
import { requireNoIssues } from "../../errors.ts";
import { toMajor, toMinor } from "../../money.ts";

/** The minimum payout in a currency, in minor units; 0n: no minimum. */
export function minimumIn(currency: string, minimums: MinimumPayoutsRow): bigint {
  return BigInt(minimums[currency] ?? 0);
}

/** The minimums of a run. Affiliates that a person chose are paid any amount. */
export function minimumsOf(
  { minimum_payouts }: { minimum_payouts: MinimumPayoutsRow },
  affiliate_ids: readonly string[] | null,
): MinimumPayoutsRow {
  return affiliate_ids === null ? minimum_payouts : {};
}

/**
 * Minimums in minor units. A minimum of 0 is no minimum and is not stored.
 *
 * @throws DomainError `invalid_request` with an issue for each amount with more decimals than its currency
 */
export function minimumsToRow(minimums: MinimumPayouts): MinimumPayoutsRow {
  const issues: Issue[] = [];
  const row: MinimumPayoutsRow = {};
  for (const [currency, amount] of Object.entries(minimums)) {
    const minor = toMinor(amount, currency);
    if (minor === null) {
      issues.push({ path: `minimum_payouts.${currency}`, message: `Has more decimals than ${currency}.` });
    } else if (minor > 0n) row[currency] = `${minor}`;
  }
  requireNoIssues(issues);
  return row;
}

/** Minimums in major units, by currency. */
export function viewMinimums(minimums: MinimumPayoutsRow): MinimumPayouts {
  const currencies = Object.keys(minimums).sort();
  return Object.fromEntries(
    currencies.map((currency) => [currency, toMajor(minimumIn(currency, minimums), currency)]),
  );
}
