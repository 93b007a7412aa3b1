import { DAY, type RateOfDay, unitOf } from "./history.ts";

/*
 * Conversions of fixed amounts, by docs/currencies.md.
 */

/** Days of which a rate counts after its own. */
const LATER_DAYS = 7;
/** Rates have at most ten decimals. */
const DECIMALS = 10;

/** Units of a currency for 1 EUR, as integers of 10^-10. Null: there is none. */
export type RateOf = (currency: string) => bigint | null;

/** The rates that members entered: the last one of a day counts. */
export class ExchangeRates {
  readonly #start: number;
  readonly #by_day = new Map<string, bigint>();
  /** By payment and currency. */
  readonly #used = new Map<number, Map<string, bigint>>();
  readonly #asked = new Map<number, Map<string, bigint>>();

  constructor(start: number) {
    this.#start = start;
  }

  enter({ currency, rate, days_ago }: RateOfDay): void {
    const [whole = "", decimals = ""] = rate.split(".");
    this.#by_day.set(
      `${currency} ${dayOf(this.#start) - days_ago}`,
      BigInt(whole + decimals.padEnd(DECIMALS, "0")),
    );
  }

  /** The rate for a payment: the one that its decision used, or that of its day, or the last one of the days before. */
  of({ name, at }: { name: number; at: number }, currency: string): bigint | null {
    if (currency === "EUR") return 10n ** BigInt(DECIMALS);
    const rate = this.#used.get(name)?.get(currency) ?? this.#on(currency, dayOf(this.#start + at));
    const asked = this.#asked.get(name) ?? new Map<string, bigint>();
    if (rate !== null) this.#asked.set(name, asked.set(currency, rate));
    return rate;
  }

  #on(currency: string, day: number): bigint | null {
    for (let ago = 0; ago <= LATER_DAYS; ago++) {
      const rate = this.#by_day.get(`${currency} ${day - ago}`);
      if (rate !== undefined) return rate;
    }
    return null;
  }

  /** A rate that a decision used counts for its payment from then on. */
  keep(outcomeOf: (payment: number) => string | null): void {
    for (const payment of [...this.#asked.keys()]) {
      this.#asked.clear();
      const is_converted = outcomeOf(payment) !== "exchange_rate_missing";
      const asked = this.#asked.get(payment) ?? new Map<string, bigint>();
      if (is_converted) this.#used.set(payment, new Map([...asked, ...(this.#used.get(payment) ?? [])]));
    }
  }

  /** A payment is decided again with the rates of its day that are known now. */
  forget(payment: number): void {
    this.#used.delete(payment);
  }
}

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}

/** Major units of a currency in minor units of another one, rounded half away from zero. Null: a rate is missing. */
export function convert(
  amount: number,
  { from, to, rateOf }: { from: string; to: string; rateOf: RateOf },
): number | null {
  const [of_from, of_to] = [rateOf(from), rateOf(to)];
  if (of_from === null || of_to === null) return null;
  // In thousandths, which no amount has more of.
  const dividend = BigInt(Math.round(amount * 1000)) * BigInt(unitOf(to)) * of_to;
  const divisor = 1000n * of_from;
  return Number((2n * dividend + divisor) / (2n * divisor));
}
