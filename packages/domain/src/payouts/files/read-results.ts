import {
  findRunPayouts,
  findRunPayoutsByEnding,
  type RunPayoutRow,
} from "@findersfee/database/payouts/files";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { PayoutRow } from "@findersfee/database/rows";
import { InvalidLines, refuseFile } from "../../csv/invalid-lines.ts";
import { type Line, readLines } from "../../csv/read-lines.ts";
import { DomainError } from "../../errors.ts";
import { endingOf } from "../reference.ts";
import { foreignOf, problemOf } from "./check.ts";
import type { PayoutFormat, ReadResult, Result } from "./format.ts";
import type { ResultLine, SkippedLine } from "./plan-moves.ts";

/** Lines per lookup. */
const BATCH = 1_000;
/** The same limit as for `payouts.status_reason` elsewhere. */
const MAX_REASON_LENGTH = 500;

/** The number of skipped lines that an answer names. */
export const NAMED_SKIPPED = 20;

/** The results of a file: at most one line for each payout of the run. */
export interface ReadResults {
  /** The lines by payout id. */
  lines: ReadonlyMap<string, ResultLine>;
  /** The payouts' statuses when their lines were read. */
  statuses: ReadonlyMap<string, PayoutRow["status"]>;
  /** Lines that belong to no payout of the run: their number, and the first ones. */
  foreign: { count: number; first: readonly SkippedLine[] };
}

/**
 * Reads a result file and checks every line. Throws `invalid_request` if any line of the run's payouts is wrong, or if none is of
 * the run.
 */
export async function readResults(
  sql: Connection,
  organizationId: string,
  { run_id, format, bytes }: { run_id: string; format: PayoutFormat; bytes: AsyncIterable<Uint8Array> },
): Promise<ReadResults> {
  const checked = new CheckedResults(format);
  for await (const lines of batchesOf(readLines(bytes), format)) {
    const payouts = await findNamed(sql, organizationId, { run_id, format, lines });
    for (const { number, result } of lines) {
      const name = format.nameOf(result.reference);
      checked.take(number, result, name === null ? [] : (payouts.get(name) ?? []));
    }
  }
  checked.invalid_lines.throwAny();
  requireOwn(checked);
  return checked;
}

class CheckedResults implements ReadResults {
  readonly lines = new Map<string, ResultLine>();
  readonly statuses = new Map<string, PayoutRow["status"]>();
  readonly foreign = { count: 0, first: [] as SkippedLine[] };
  readonly invalid_lines = new InvalidLines();
  private readonly format: PayoutFormat;

  constructor(format: PayoutFormat) {
    this.format = format;
  }

  take(line: number, result: Result, payouts: readonly RunPayoutRow[]): void {
    const foreign = foreignOf(result, payouts);
    const [payout] = payouts;
    if (foreign !== null || payout === undefined) {
      this.foreign.count += 1;
      if (this.foreign.first.length < NAMED_SKIPPED)
        this.foreign.first.push({ line, message: foreign ?? "" });
      return;
    }
    const { id, status, currency } = payout;
    const { outcome, reason } = result;
    const step_minor = this.format.termsOf(currency)?.step_minor;
    const refusal = problemOf(result, payouts, step_minor) ?? this.doubled(id);
    if (refusal !== null || outcome === null) {
      this.invalid_lines.add(line, refusal ?? "");
      return;
    }
    this.lines.set(id, { id, line, outcome, reason: storable(reason) });
    this.statuses.set(id, status);
  }

  private doubled(id: string): string | null {
    const first = this.lines.get(id);
    return first === undefined ? null : `The payout is already on line ${first.line}.`;
  }
}

/** A file without any payout of the run is of another run, or was read in the wrong format. */
function requireOwn({ lines, foreign }: ReadResults): void {
  if (lines.size > 0 || foreign.count === 0) return;
  throw new DomainError("invalid_request", {
    message: "No line is of a payout of this run; nothing was changed.",
    issues: foreign.first.map(({ line, message }) => ({ path: `line ${line}`, message })),
  });
}

/** Postgres stores no NUL, and a lone surrogate has no UTF-8 form. */
function storable(reason: string): string {
  return reason.replaceAll("\u0000", " ").slice(0, MAX_REASON_LENGTH).toWellFormed();
}

interface NumberedResult {
  number: number;
  result: Result;
}

async function* batchesOf(
  lines: AsyncIterable<Line>,
  format: PayoutFormat,
): AsyncGenerator<NumberedResult[]> {
  let read: ReadResult | null = null;
  let batch: NumberedResult[] = [];
  for await (const { number, cells } of lines) {
    if (read === null) {
      read = openResults(number, cells, format);
      continue;
    }
    batch.push({ number, result: read(cells) });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (read === null) throw refuseFile(1, "The file is empty.");
  if (batch.length > 0) yield batch;
}

function openResults(line: number, header: readonly string[], format: PayoutFormat): ReadResult {
  const columns = new Map(header.map((name, place) => [name.trim().toLowerCase(), place]));
  const read = format.results(columns);
  if (typeof read === "function") return read;
  throw refuseFile(line, `The header has no column ${read.join(", ")}.`);
}

/** The payouts of the run that lines reference, by reference. */
async function findNamed(
  sql: Connection,
  organizationId: string,
  { run_id, format, lines }: { run_id: string; format: PayoutFormat; lines: readonly NumberedResult[] },
): Promise<Map<string, RunPayoutRow[]>> {
  const names = lines.flatMap(({ result }) => format.nameOf(result.reference) ?? []);
  const found =
    format.named_by === "id"
      ? await findRunPayouts(sql, organizationId, { run_id, ids: names })
      : await findRunPayoutsByEnding(sql, organizationId, { run_id, endings: names });
  const payouts = new Map<string, RunPayoutRow[]>();
  for (const payout of found) {
    const name = format.named_by === "id" ? payout.id : endingOf(payout.id);
    payouts.set(name, [...(payouts.get(name) ?? []), payout]);
  }
  return payouts;
}
