import { currencyDecimals } from "@findersfee/contract/currencies";
import type { Issue } from "@findersfee/contract/errors";
import { DomainError } from "../errors.ts";
import { toMinor } from "../money.ts";

/**
 * Amounts of a request in minor units. Throws `invalid_request` for those with more decimals than the
 * currency has.
 */
export function amountsToMinor<Name extends string>(
  amounts: Record<Name, number>,
  currency: string,
): Record<Name, bigint> {
  const issues: Issue[] = [];
  const minors = {} as Record<Name, bigint>;
  for (const name of Object.keys(amounts) as Name[]) {
    const minor = toMinor(amounts[name], currency);
    if (minor === null) {
      const message = `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals.`;
      issues.push({ path: name, message });
    } else {
      minors[name] = minor;
    }
  }
  if (issues.length > 0) throw new DomainError("invalid_request", { issues });
  return minors;
}
