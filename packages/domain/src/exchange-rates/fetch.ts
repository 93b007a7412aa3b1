import { deleteRatesFetch, findRatesFetch, recordRatesFetch } from "@findersfee/database/exchange-rates";
import type { Database } from "@findersfee/database/postgres/connect";
import { type ImportedRates, importExchangeRates } from "./import.ts";

/** The hour (UTC) at which the rates of a day are published: about 16:00 in Frankfurt, in winter and summer. */
const PUBLISHED_HOUR = 16;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Fetches the file of an address. Rejects with an error for people. */
export type FetchRatesFile = (url: string) => Promise<string>;

/**
 * Fetches and stores the installation's rates if a publication is newer than the last fetch: once a day, and again each time it
 * is called until that succeeds. Returns null if nothing is due.
 *
 * @throws the error of the fetch or the file, after recording it
 */
export async function fetchDueRates(
  database: Database,
  { url, fetchFile, now = new Date() }: { url: string | null; fetchFile: FetchRatesFile; now?: Date },
): Promise<ImportedRates | null> {
  if (url === null) {
    await deleteRatesFetch(database);
    return null;
  }
  const last = await findRatesFetch(database);
  if (last?.succeeded_at && last.error === null && last.succeeded_at >= lastPublication(now)) return null;
  try {
    const imported = await importExchangeRates(database, await fetchFile(url), now);
    await recordRatesFetch(database, { at: now, error: null });
    return imported;
  } catch (error) {
    await recordRatesFetch(database, { at: now, error: messageOf(error) });
    throw error;
  }
}

/** The time at which rates were last published, at the latest. Weekends have none, and fetch the same file again. */
function lastPublication(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(PUBLISHED_HOUR, 0, 0, 0);
  return today <= now ? today : new Date(today.getTime() - DAY_MILLISECONDS);
}

const MAX_MESSAGE = 300;

/** Node's fetch hides the reason in `cause`. */
function messageOf(error: unknown): string {
  const reasons: string[] = [];
  for (let reason = error; reason instanceof Error && reasons.length < 3; reason = reason.cause) {
    reasons.push(reason.message);
  }
  return (reasons.join(": ") || String(error)).slice(0, MAX_MESSAGE);
}
