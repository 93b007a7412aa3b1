import type { FilePayoutRow } from "@findersfee/database/payouts/files";
import type { Cell } from "../../csv/write-lines.ts";

/** The terms by which a provider pays in a currency. */
export interface PaymentTerms {
  /** Amounts are multiples of it: 100n for a currency with cents that the provider pays in whole units. */
  step_minor: bigint;
  /** The largest amount; null: no limit that is known. */
  most_minor: bigint | null;
}

export const ANY_AMOUNT: PaymentTerms = { step_minor: 1n, most_minor: null };

/** A provider's file format, for export and import. */
export interface PayoutFormat {
  /** The header line; null: none. */
  header: readonly string[] | null;
  /** The most payouts per file of a provider, all in one currency; null: no limit, any currency. */
  payouts_per_file: number | null;
  /** Whether a provider pays from the file: its lines are payment orders, and addresses in it must be exact. */
  pays: boolean;
  /**
   * The provider's terms in a currency; null: it does not pay in it. A provider's decimals are not always
   * those of ISO 4217.
   */
  termsOf(currency: string): PaymentTerms | null;
  /** The payouts in the file; failed and canceled ones are never included. */
  statuses: readonly FilePayoutRow["status"][];
  line(payout: FilePayoutRow): Cell[];
  /** How references in its result file identify payouts. */
  named_by: "id" | "ending";
  /** The id or key of a payout from a reference; null: not a reference. */
  nameOf(reference: string): string | null;
  /** Returns a reader for a result file with these columns, or the names of missing columns. */
  results(columns: Columns): ReadResult | string[];
}

/** The positions of a result file's columns, by name in lower case. */
export type Columns = ReadonlyMap<string, number>;

export type ReadResult = (record: readonly string[]) => Result;

/** The outcome of a payment; `returned`: it failed, maybe after it was paid; `open`: not known yet. */
export type Outcome = "paid" | "failed" | "returned" | "open";

/** A line of a result file. */
export interface Result {
  reference: string;
  amount: string;
  /** Whether its amounts are negative because they leave the account. */
  is_debit: boolean;
  currency: string;
  status: string;
  /** Null: the status is unknown. */
  outcome: Outcome | null;
  /** The provider's failure reason. */
  reason: string;
  /** Why this line is not a payment; null: it is one. */
  misplaced: string | null;
}

/** A record's cell; empty if the file has no such column. */
export function cellOf(record: readonly string[], place: number | undefined): string {
  return place === undefined ? "" : (record[place]?.trim() ?? "");
}

/** The first of these columns that exists in the file. */
export function placeOf(columns: Columns, names: readonly string[]): number | undefined {
  return names.map((name) => columns.get(name)).find((place) => place !== undefined);
}

/** The required columns that the file lacks. */
export function missingOf(places: Record<string, number | undefined>): string[] {
  return Object.entries(places).flatMap(([name, place]) => (place === undefined ? [name] : []));
}

/** A provider's failure reason: its status and further text. */
export function failureOf(status: string, words: readonly string[]): string {
  return [status, ...new Set(words.filter((word) => word !== ""))].join(": ");
}
