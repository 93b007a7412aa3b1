import { currencyCodes } from "@findersfee/contract/currencies";
import {
  type ConversionState,
  type ExchangeRatesView,
  type ExchangeRateView,
  exchangeRateSources,
  STALE_DAYS,
} from "@findersfee/contract/exchange-rates";
import {
  findRatesFetch,
  listNewestRates,
  type NewestRateRow,
  readConversion,
} from "@findersfee/database/exchange-rates";
import { z } from "zod";
import type { Context } from "../context.ts";
import { BASE_CURRENCY } from "./rate.ts";

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** More payments are not counted. */
const MAX_WAITING = 1_000;

const source = z.enum(exchangeRateSources);

/** The newest rate of each currency, and whether the organization has those that it needs. */
export async function listExchangeRates(
  context: Pick<Context, "database" | "organization">,
  now: Date = new Date(),
): Promise<ExchangeRatesView> {
  const { database, organization } = context;
  const today = dayOf(now);
  const rows = await listNewestRates(database, organization.id, { currencies: currencyCodes, today });
  return {
    rates: rows.map((row) => viewRate(row, today)),
    conversion: await getConversionState(context, now),
  };
}

/** Whether an organization that converts amounts has the rates for it; null: it converts nothing. */
export async function getConversionState(
  { database, organization }: Pick<Context, "database" | "organization">,
  now: Date = new Date(),
): Promise<ConversionState> {
  const { id, currency } = organization;
  const { converts_fixed_amounts, waiting_payments } = await readConversion(database, id, MAX_WAITING);
  // Payments may still wait after the setting was turned off.
  if (!converts_fixed_amounts && waiting_payments === 0) return null;
  const today = dayOf(now);
  const currencies = currency === BASE_CURRENCY ? currencyCodes : [currency];
  const [rates, fetch] = await Promise.all([
    listNewestRates(database, id, { currencies, today }),
    findRatesFetch(database),
  ]);
  const newest_day = rates.map(({ day }) => day).reduce<string | null>(laterOf, null);
  return {
    newest_day,
    is_stale: newest_day === null || ageOf(newest_day, today) > STALE_DAYS,
    waiting_payments,
    fetch_error: fetch?.error ?? null,
    fetched_at: fetch?.succeeded_at?.toISOString() ?? null,
  };
}

function viewRate({ currency, rate, source: name, day }: NewestRateRow, today: string): ExchangeRateView {
  return { currency, rate, source: source.parse(name), day, age_days: ageOf(day, today) };
}

function laterOf(one: string | null, other: string): string {
  return one === null || other > one ? other : one;
}

/** The day of a time, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function ageOf(day: string, today: string): number {
  return Math.round((Date.parse(today) - Date.parse(day)) / DAY_MILLISECONDS);
}
