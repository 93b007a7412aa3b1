import type { CreateExchangeRate, ImportedExchangeRates } from "@findersfee/contract/exchange-rates";
import {
  insertOwnExchangeRates,
  type NewExchangeRate,
  type StoredRates,
} from "@findersfee/database/exchange-rates";
import { lockSettings } from "@findersfee/database/organizations/settings";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { addJob } from "@findersfee/database/work/queue";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField } from "../errors.ts";
import { inTransaction } from "../transaction.ts";
import { DECIDE_WAITING, summaryOf } from "./import.ts";
import { dayOf } from "./list.ts";
import { parseRatesFile, RatesFileError } from "./parse-file.ts";
import { rateText, scaledRate } from "./rate.ts";

type Own = Parameters<typeof insertOwnExchangeRates>[2];

/**
 * Stores a rate that a member of the organization entered, for a currency and day without one of the service. Payments that wait for
 * it are decided soon. Errors: `invalid_request` for a day that has not come.
 */
export async function createExchangeRate(
  context: Context,
  { currency, day, rate }: CreateExchangeRate,
  now: Date = new Date(),
): Promise<StoredRates> {
  requirePast("day", day, now);
  const scaled = scaledRate(rate);
  if (scaled === null) throw invalidField("rate", "Must be a decimal number above 0.");
  const rates = [{ currency, day, rate: rateText(scaled) }];
  return await inTransaction(context, (sql) =>
    storeOwn(sql, context, { rates, source: "manual", fetched_at: now }),
  );
}

/**
 * The same for a file of the European Central Bank. Errors: `invalid_request` for a file that cannot be read, with the place and
 * reason.
 */
export async function importOwnExchangeRates(
  context: Context,
  file: string,
  now: Date = new Date(),
): Promise<ImportedExchangeRates> {
  const rates = readFile(file);
  const summary = summaryOf(rates);
  requirePast("file", summary.last_day, now);
  const stored = await inTransaction(context, (sql) =>
    storeOwn(sql, context, { rates, source: "file", fetched_at: now }),
  );
  return { ...summary, ...stored };
}

function readFile(file: string): NewExchangeRate[] {
  try {
    return parseRatesFile(file);
  } catch (error) {
    if (error instanceof RatesFileError) throw invalidField("file", error.message);
    throw error;
  }
}

/** A rate of a later day would be a guess. */
function requirePast(path: string, day: string, now: Date): void {
  if (day > dayOf(now)) throw invalidField(path, `The day ${day} has not come yet.`);
}

async function storeOwn(sql: Transaction, context: Context, own: Own): Promise<StoredRates> {
  const { id } = context.organization;
  await lockSettings(sql, id);
  const stored = await insertOwnExchangeRates(sql, id, own);
  if (stored.added + stored.corrected === 0) return stored;
  await writeAuditEntry(sql, context, {
    resource: "settings",
    id,
    action: "updated",
    before: {},
    after: { exchange_rates: describe(own) },
  });
  await addJob(sql, DECIDE_WAITING, { key: DECIDE_WAITING });
  return stored;
}

/** `AED 3.9705 (2026-11-26)`, or the days of a file. */
function describe({ rates, source }: Own): string {
  const [first] = rates;
  if (source === "manual" && first) return `${first.currency} ${first.rate} (${first.day})`;
  const { rates: count, first_day, last_day } = summaryOf(rates);
  return `${count} from a file (${first_day} – ${last_day})`;
}
