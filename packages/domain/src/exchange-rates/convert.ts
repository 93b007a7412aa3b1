import { currencyDecimals } from "@findersfee/contract/currencies";
import { divideRounded } from "../money.ts";
import { BASE_CURRENCY, type ExchangeRate, RATE_SCALE, rateText, scaledRate } from "./rate.ts";

/** The rates that count on a day, by currency. */
export type ExchangeRates = ReadonlyMap<string, ExchangeRate>;

/** An amount in another currency, and how it was reached. */
export interface Conversion {
  /** Minor units of the other currency, rounded half away from zero. */
  amount_minor: bigint;
  /** Units of the other currency for one of the first, rounded to 10 decimals: for people. */
  rate: string;
  /** The rates that the amount was calculated with, against the euro, which has none. */
  rates: ExchangeRate[];
}

/** Converts minor units of one currency to another. Null: the rate of one of them is missing. */
export function convert(
  amount_minor: bigint,
  { from, to, rates }: { from: string; to: string; rates: ExchangeRates },
): Conversion | null {
  if (from === to) return { amount_minor, rate: "1", rates: [] };
  const [of_from, of_to] = [scaledOf(from, rates), scaledOf(to, rates)];
  if (of_from === null || of_to === null) return null;
  const dividend = amount_minor * of_to.scaled * 10n ** BigInt(currencyDecimals(to));
  const divisor = of_from.scaled * 10n ** BigInt(currencyDecimals(from));
  return {
    amount_minor: divideRounded(dividend, divisor),
    rate: rateText(divideRounded(of_to.scaled * RATE_SCALE, of_from.scaled)),
    rates: [...of_from.used, ...of_to.used],
  };
}

/** A currency's rate as an integer, and the stored rate that it is from; null: it is missing. */
function scaledOf(currency: string, rates: ExchangeRates): { scaled: bigint; used: ExchangeRate[] } | null {
  if (currency === BASE_CURRENCY) return { scaled: RATE_SCALE, used: [] };
  const known = rates.get(currency);
  if (known === undefined) return null;
  const scaled = scaledRate(known.rate);
  if (scaled === null) throw new Error(`stored rate of ${currency} is invalid: ${known.rate}`);
  return { scaled, used: [known] };
}
