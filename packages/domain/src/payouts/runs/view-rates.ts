import type { UsedExchangeRate } from "@findersfee/contract/exchange-rates";
import type { RunRatesRow } from "@findersfee/database/payouts/conversions";

/** The rates of a run or a preview; without the fields if it converts nothing. */
export function viewRates({ exchange_rates, missing_rates }: RunRatesRow): {
  exchange_rates?: UsedExchangeRate[];
  missing_rates?: string[];
} {
  const used = exchange_rates.flatMap(({ currency, rate, source, day }) =>
    source === null || day === null ? [] : [{ currency, rate, source, day }],
  );
  return {
    ...(used.length === 0 ? {} : { exchange_rates: used }),
    ...(missing_rates.length === 0 ? {} : { missing_rates }),
  };
}
