import type { FilePayoutRow } from "@findersfee/database/payout-files";

/** Text of a file's cell; `exact` is written unchanged, though a spreadsheet may read it as a formula. */
export type Cell = string | { exact: string };

/** The file of a provider, there and back. */
export interface PayoutFormat {
  /** Its first line; null: there is none. */
  header: readonly string[] | null;
  /** A provider's file has at most so many, and all of them in one currency; null: any. */
  payouts_per_file: number | null;
  /** Whether a provider pays by it: its lines are orders to pay, and addresses in it must be exact. */
  pays: boolean;
  /** Payouts that are in it; those that failed or were canceled never are. */
  statuses: readonly FilePayoutRow["status"][];
  line(payout: FilePayoutRow): Cell[];
  /** How the references of its result file name payouts. */
  named_by: "id" | "ending";
  /** What names a payout, of a reference; null: it is no reference. */
  nameOf(reference: string): string | null;
  /** How to read a result file with these columns, or the names of columns that it lacks. */
  results(columns: Columns): ReadResult | string[];
}

/** Where a result file's columns are, by their names in lower case. */
export type Columns = ReadonlyMap<string, number>;

export type ReadResult = (record: readonly string[]) => Result;

/** What became of a payment: `open` is not known yet. */
export type Outcome = "paid" | "failed" | "open";

/** A line of a result file, as it says. */
export interface Result {
  reference: string;
  amount: string;
  /** Whether its amounts leave the account, and have a minus. */
  is_debit: boolean;
  currency: string;
  status: string;
  /** Null: nobody knows such a status. */
  outcome: Outcome | null;
  /** Why it failed, in the provider's words. */
  reason: string;
  /** Why this is not the line of a payment; null: it is. */
  misplaced: string | null;
}

/** A record's cell; empty where the file has no such column. */
export function cellOf(record: readonly string[], place: number | undefined): string {
  return place === undefined ? "" : (record[place]?.trim() ?? "");
}

/** The first of these columns that the file has. */
export function placeOf(columns: Columns, names: readonly string[]): number | undefined {
  return names.map((name) => columns.get(name)).find((place) => place !== undefined);
}

/** The names of columns that the file lacks, of those that it must have. */
export function missingOf(places: Record<string, number | undefined>): string[] {
  return Object.entries(places).flatMap(([name, place]) => (place === undefined ? [name] : []));
}

/** A provider's words for why a payment failed: its status, and what else it says. */
export function failureOf(status: string, words: readonly string[]): string {
  return [status, ...new Set(words.filter((word) => word !== ""))].join(": ");
}
