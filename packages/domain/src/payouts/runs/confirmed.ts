import type { StartPayoutRun } from "@findersfee/contract/payouts/runs";
import type { ConfirmedRow, ProposedTotalRow } from "@findersfee/database/payouts/runs";
import { DomainError, invalidField } from "../../errors.ts";
import { toMajor, toMinor } from "../../money.ts";

type Confirmed = NonNullable<StartPayoutRun["confirmed"]>;

/** Amounts that a person confirmed, in minor units. Errors: `invalid_request` for too many decimals. */
export function confirmedToRow({ totals }: Confirmed): ConfirmedRow {
  const row: ConfirmedRow = {};
  for (const [place, { currency, payouts, amount }] of totals.entries()) {
    const amount_minor = toMinor(amount, currency);
    if (amount_minor === null) {
      throw invalidField(`confirmed.totals.${place}.amount`, `Has more decimals than ${currency}.`);
    }
    row[currency] = { payouts, amount_minor: `${amount_minor}` };
  }
  return row;
}

/**
 * Errors: `payout_locked` if the run would pay other amounts than the confirmed ones, with the new amounts.
 */
export function requireConfirmed(confirmed: ConfirmedRow, totals: readonly ProposedTotalRow[]): void {
  const is_same =
    totals.length === Object.keys(confirmed).length &&
    totals.every(({ currency, payouts, amount_minor }) => {
      const expected = confirmed[currency];
      return expected?.payouts === payouts && expected.amount_minor === `${amount_minor}`;
    });
  if (is_same) return;
  const now = totals.map(({ currency, payouts, amount_minor }) => {
    return `${payouts} ${payouts === 1 ? "payout" : "payouts"} of ${toMajor(amount_minor, currency)} ${currency}`;
  });
  throw new DomainError("payout_locked", {
    message: `The amount changed: the run would create ${now.join(", ") || "no payouts"}. Nothing was started; confirm it again.`,
  });
}

/** Whether the payouts of a run, in minor units, are no more than were confirmed. */
export function isWithin(confirmed: ConfirmedRow, created: readonly ProposedTotalRow[]): boolean {
  const currencies = new Set(created.map(({ currency }) => currency));
  return [...currencies].every((currency) => {
    const own = created.filter((total) => total.currency === currency);
    const { payouts = 0, amount_minor = "0" } = confirmed[currency] ?? {};
    return (
      own.reduce((sum, total) => sum + total.payouts, 0) <= payouts &&
      own.reduce((sum, total) => sum + total.amount_minor, 0n) <= BigInt(amount_minor)
    );
  });
}
