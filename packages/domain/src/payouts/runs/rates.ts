import { currencyDecimals } from "@findersfee/contract/currencies";
import { findExchangeRates } from "@findersfee/database/exchange-rates";
import type { SettingsRow } from "@findersfee/database/organizations/settings";
import {
  listConvertedPairs,
  listOwedCurrencies,
  type RunRateRow,
  type RunRatesRow,
} from "@findersfee/database/payouts/conversions";
import type { Connection } from "@findersfee/database/postgres/connect";
import { convert, type ExchangeRates } from "../../exchange-rates/convert.ts";
import { dayOf } from "../../exchange-rates/list.ts";
import { BASE_CURRENCY } from "../../exchange-rates/rate.ts";

/** Settings for a run, with its own minimums. */
type RunSettings = Pick<SettingsRow, "currency" | "minimum_payouts" | "converts_minimum_payouts">;

/** Conversion of amounts as a run's conditions. */
export interface RunConversion extends RunRatesRow {
  /** The minimums of the run, with those that are converted from the organization's currency. */
  minimum_payouts: SettingsRow["minimum_payouts"];
  /** `exchange_rates` and the euro, which statements convert with. */
  rates: RunRateRow[];
}

/**
 * The rates that a run at a cutoff converts with: those of its day (UTC), or else the last ones of the 7 days before. A run keeps
 * them, so that it pays the same whenever a worker gets to it.
 */
export async function loadRunConversion(
  sql: Connection,
  organization_id: string,
  {
    settings,
    affiliate_ids,
    cutoff_at,
  }: { settings: RunSettings; affiliate_ids: readonly string[] | null; cutoff_at: Date },
): Promise<RunConversion> {
  const pairs = await listConvertedPairs(sql, organization_id, affiliate_ids);
  const { minimum_payouts } = settings;
  const wanted = new Set(pairs.flatMap(({ currency, payout_currency }) => [currency, payout_currency]));
  const without_minimum = await currenciesWithoutMinimum(sql, organization_id, settings);
  for (const currency of without_minimum) wanted.add(currency).add(settings.currency);
  wanted.delete(BASE_CURRENCY);
  const on_day = dayOf(cutoff_at);
  const found = await findExchangeRates(
    sql,
    organization_id,
    [...wanted].map((currency) => ({ currency, on_day })),
  );
  const exchange_rates = found
    .map(({ currency, rate, source, day }) => ({
      ...{ currency, rate, source, day },
      decimals: currencyDecimals(currency),
    }))
    .sort((a, b) => a.currency.localeCompare(b.currency, "en"));
  const known = new Set(found.map(({ currency }) => currency));
  return {
    exchange_rates,
    missing_rates: [...wanted].filter((currency) => !known.has(currency)).sort(),
    minimum_payouts: {
      ...minimum_payouts,
      ...convertedMinimums(without_minimum, { settings, rates: ratesOf(exchange_rates) }),
    },
    rates: withEuro(exchange_rates),
  };
}

/** The currencies in which something is owed, and that have no minimum of their own, if minimums are converted. */
async function currenciesWithoutMinimum(
  sql: Connection,
  organization_id: string,
  { currency: own, converts_minimum_payouts, minimum_payouts }: RunSettings,
): Promise<string[]> {
  if (!converts_minimum_payouts || minimum_payouts[own] === undefined) return [];
  const owed = await listOwedCurrencies(sql, organization_id);
  return owed.filter((currency) => minimum_payouts[currency] === undefined);
}

function convertedMinimums(
  currencies: readonly string[],
  { settings, rates }: { settings: RunSettings; rates: ExchangeRates },
): SettingsRow["minimum_payouts"] {
  const minimum_minor = BigInt(settings.minimum_payouts[settings.currency] ?? 0);
  const converted: SettingsRow["minimum_payouts"] = {};
  for (const currency of currencies) {
    const found = convert(minimum_minor, { from: settings.currency, to: currency, rates });
    if (found !== null && found.amount_minor > 0n) converted[currency] = `${found.amount_minor}`;
  }
  return converted;
}

/** The rates of a run with the euro, for statements. */
export function withEuro(rates: readonly RunRateRow[]): RunRateRow[] {
  const decimals = currencyDecimals(BASE_CURRENCY);
  return [...rates, { currency: BASE_CURRENCY, rate: "1", source: null, day: null, decimals }];
}

/** The rates of a run, for `convert`. */
export function ratesOf(rates: readonly RunRateRow[]): ExchangeRates {
  return new Map(
    rates.flatMap(({ currency, rate, source, day }) =>
      source === null || day === null ? [] : [[currency, { currency, rate, source, day }] as const],
    ),
  );
}
