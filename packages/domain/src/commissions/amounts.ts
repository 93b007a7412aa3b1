import { currencyDecimals } from "@findersfee/contract/currencies";
import type { Issue } from "@findersfee/contract/errors";
import { requireNoIssues } from "../errors.ts";
import { toMinor } from "../money.ts";

/**
 * Converts the amounts of a request to minor units. Throws `invalid_request` for amounts with more decimals than the
 * currency has.
 */
export function amountsToMinor<Name extends string>(
  amounts: Record<Name, number>,
  currency: string,
): Record<Name, bigint> {
  const issues: Issue[] = [];
  const minors = {} as Record<Name, bigint>;
  for (const name of Object.keys(amounts) as Name[]) {
    minors[name] = amountToMinor({ path: name, amount: amounts[name], currency, issues });
  }
  requireNoIssues(issues);
  return minors;
}

/**
 * Converts an amount of a request to minor units. An amount with too many decimals becomes 0 and adds to the `issues`.
 */
export function amountToMinor({
  path,
  amount,
  currency,
  issues,
}: {
  path: string;
  amount: number;
  currency: string;
  issues: Issue[];
}): bigint {
  const minor = toMinor(amount, currency);
  if (minor !== null) return minor;
  const message = `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals.`;
  issues.push({ path, message });
  return 0n;
}
