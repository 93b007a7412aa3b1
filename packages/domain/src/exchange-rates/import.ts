import { insertExchangeRates, type StoredRates } from "@findersfee/database/exchange-rates";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { addJob } from "@findersfee/database/work/queue";
import { type FileRate, parseRatesFile } from "./parse-file.ts";

/** The job that decides the payments that waited for exchange rates. */
export const DECIDE_WAITING = "decide_waiting_for_rates";

/** The changes by a file of rates. */
export interface ImportedRates extends StoredRates {
  /** All rates of the file, also those that were known. */
  rates: number;
  first_day: string;
  last_day: string;
}

/**
 * Stores the rates of a file for all organizations, and has workers decide the payments that waited for them. A rate that
 * differs from the stored one becomes its next revision; decisions that used the former one stay.
 *
 * @throws RatesFileError
 */
export async function importExchangeRates(
  database: Database,
  text: string,
  now: Date = new Date(),
): Promise<ImportedRates> {
  const rates = parseRatesFile(text);
  return await transaction(database, async (sql) => {
    const stored = await insertExchangeRates(sql, rates, now);
    if (stored.added + stored.corrected > 0) await addJob(sql, DECIDE_WAITING, { key: DECIDE_WAITING });
    return { ...summaryOf(rates), ...stored };
  });
}

/** The number of a file's rates, and its days. The file has at least one. */
export function summaryOf(rates: readonly FileRate[]): Omit<ImportedRates, keyof StoredRates> {
  let [first_day, last_day] = [rates[0]?.day ?? "", ""];
  for (const { day } of rates) {
    if (day < first_day) first_day = day;
    if (day > last_day) last_day = day;
  }
  return { rates: rates.length, first_day, last_day };
}
