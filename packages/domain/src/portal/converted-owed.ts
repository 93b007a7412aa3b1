import type { Home, NextPayout } from "@findersfee/contract/portal/home";
import type { OwedRow, OwnAffiliate, PayoutTermsRow } from "@findersfee/database/portal/home";
import type { Database } from "@findersfee/database/postgres/connect";
import { convert } from "../exchange-rates/convert.ts";
import { payableOutcome } from "../ledger/payable.ts";
import { toMajor } from "../money.ts";
import { minimumIn } from "../payouts/runs/minimum.ts";
import { loadRunConversion, ratesOf } from "../payouts/runs/rates.ts";

/** The amounts of each currency for an affiliate who is paid in one currency, at today's rates. */
export interface ConvertedOwed {
  /** Null: it is paid in each currency. */
  total: Home["payouts"]["paid_in"] | null;
  total_minor: bigint;
  minimum_payouts: PayoutTermsRow["minimum_payouts"];
  /** The due amounts of the next run by currency; null: a rate is missing. */
  parts: ReadonlyMap<string, bigint | null>;
}

/** Converts the amounts due at the next run, at today's rates. */
export async function convertOwed(
  database: Database,
  { organization_id, affiliate_id }: OwnAffiliate,
  { terms, rows, now }: { terms: PayoutTermsRow; rows: readonly OwedRow[]; now: Date },
): Promise<ConvertedOwed> {
  const { payout_currency: to, converts_minimum_payouts } = terms;
  if (to === null && !converts_minimum_payouts) {
    return { total: null, total_minor: 0n, minimum_payouts: terms.minimum_payouts, parts: new Map() };
  }
  const { exchange_rates, minimum_payouts } = await loadRunConversion(database, organization_id, {
    settings: terms,
    affiliate_ids: [affiliate_id],
    cutoff_at: now,
  });
  if (to === null) return { total: null, total_minor: 0n, minimum_payouts, parts: new Map() };
  const rates = ratesOf(exchange_rates);
  const parts = new Map(
    rows.map(({ currency: from, unpaid_minor, held_then_minor }) => {
      const converted = convert(unpaid_minor - held_then_minor, { from, to, rates });
      return [from, converted?.amount_minor ?? null];
    }),
  );
  const total_minor = [...parts.values()].reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n);
  const amount = toMajor(total_minor, to);
  const minimum = toMajor(minimumIn(to, minimum_payouts), to);
  return { total: { currency: to, amount, minimum }, total_minor, minimum_payouts, parts };
}

/**
 * The outcome of the next run for an amount in a currency. If the amount is converted, the sum of all
 * currencies decides.
 */
export function outcomeOf(
  owed: Parameters<typeof payableOutcome>[0] & { currency: string },
  { minimum_minor, paid_in }: { minimum_minor: bigint; paid_in: ConvertedOwed },
): Exclude<NextPayout["outcome"], "in_review"> {
  const { total, total_minor, minimum_payouts, parts } = paid_in;
  if (!total || owed.due_minor === 0n) return payableOutcome(owed, minimum_minor);
  if (parts.get(owed.currency) === null) return "rate_missing";
  if (total_minor <= 0n) return "negative";
  return payableOutcome({ ...owed, due_minor: total_minor }, minimumIn(total.currency, minimum_payouts));
}

/** The other currency that an amount is paid in. */
export function viewPaidIn(currency: string, { total, parts }: ConvertedOwed): Pick<NextPayout, "paid_in"> {
  if (!total || total.currency === currency) return {};
  const minor = parts.get(currency) ?? null;
  return {
    paid_in: {
      currency: total.currency,
      amount: minor === null ? null : toMajor(minor, total.currency),
    },
  };
}
