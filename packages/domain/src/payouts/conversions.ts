import type { UsedExchangeRate } from "@findersfee/contract/exchange-rates";
import type { PayoutConversion } from "@findersfee/contract/payouts/conversions";
import type { PayoutConversionRow } from "@findersfee/database/payouts/conversions";
import { rateBetween } from "../exchange-rates/convert.ts";
import { toMajor } from "../money.ts";

/** The `conversions` of a payout; without the field if it has none. */
export function viewConversions({ conversions }: { conversions: PayoutConversionRow[] | null }): {
  conversions?: PayoutConversion[];
} {
  return conversions === null ? {} : { conversions: conversions.map(viewConversion) };
}

function viewConversion(row: PayoutConversionRow): PayoutConversion {
  const { from_currency, to_currency } = row;
  return {
    amount: toMajor(BigInt(row.from_minor), from_currency),
    currency: from_currency,
    converted_amount: toMajor(BigInt(row.to_minor), to_currency),
    rate: rateBetween(row.from_rate, row.to_rate),
    exchange_rates: [
      ...usedRate(from_currency, { rate: row.from_rate, source: row.from_source, day: row.from_day }),
      ...usedRate(to_currency, { rate: row.to_rate, source: row.to_source, day: row.to_day }),
    ],
  };
}

/** None for the euro. */
function usedRate(
  currency: string,
  { rate, source, day }: { rate: string; source: string | null; day: string | null },
): UsedExchangeRate[] {
  return source === null || day === null ? [] : [{ currency, rate, source, day }];
}

/** The currency of a payout's line, if it is another one than the payout's. */
export function viewLineCurrency(line: { currency: string }, payout_currency: string): { currency?: string } {
  return line.currency === payout_currency ? {} : { currency: line.currency };
}

/** Both amounts, the rate, and the source and day of each reference rate, in one line for a file. */
export function conversionText(
  { amount, currency, converted_amount, rate, exchange_rates }: PayoutConversion,
  payout_currency: string,
): string {
  const days = exchange_rates.map((used) => `${used.currency} ${used.source} ${used.day}`);
  return `${amount} ${currency} = ${converted_amount} ${payout_currency} (1 ${currency} = ${rate} ${payout_currency}, ${days.join(", ")})`;
}
