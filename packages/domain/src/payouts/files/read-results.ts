import {
  findRunPayouts,
  findRunPayoutsByEnding,
  type RunPayoutRow,
} from "@findersfee/database/payouts/files";
import type { Connection } from "@findersfee/database/postgres/connect";
import { InvalidLines, refuseFile } from "../../csv/invalid-lines.ts";
import { type Line, readLines } from "../../csv/read-lines.ts";
import { endingOf } from "../reference.ts";
import { problemOf } from "./check.ts";
import type { PayoutFormat, ReadResult, Result } from "./format.ts";

/** Lines per lookup. */
const BATCH = 1_000;
/** The same limit as for `payouts.status_reason` elsewhere. */
const MAX_REASON_LENGTH = 500;

/** The results of a file by payout id: at most one line for each payout of the run. */
export interface ReadResults {
  paid: Map<string, { line: number }>;
  failed: Map<string, { line: number; reason: string }>;
  open: number;
}

/** Reads a result file and checks every line. Throws `invalid_request` if any is wrong. */
export async function readResults(
  sql: Connection,
  organizationId: string,
  { run_id, format, bytes }: { run_id: string; format: PayoutFormat; bytes: AsyncIterable<Uint8Array> },
): Promise<ReadResults> {
  const checked = new CheckedResults();
  for await (const lines of batchesOf(readLines(bytes), format)) {
    const payouts = await findNamed(sql, organizationId, { run_id, format, lines });
    for (const { number, result } of lines) {
      const name = format.nameOf(result.reference);
      checked.take(number, result, name === null ? [] : (payouts.get(name) ?? []));
    }
  }
  checked.invalid_lines.throwAny();
  return checked;
}

class CheckedResults implements ReadResults {
  readonly paid = new Map<string, { line: number }>();
  readonly failed = new Map<string, { line: number; reason: string }>();
  open = 0;
  readonly invalid_lines = new InvalidLines();
  /** The line on which each payout first appears. */
  private readonly lines = new Map<string, number>();

  take(line: number, result: Result, payouts: readonly RunPayoutRow[]): void {
    const refusal = problemOf(result, payouts) ?? this.doubled(payouts[0]?.id ?? "");
    if (refusal !== null) {
      this.invalid_lines.add(line, refusal);
      return;
    }
    const id = payouts[0]?.id ?? "";
    this.lines.set(id, line);
    if (result.outcome === "paid") this.paid.set(id, { line });
    else if (result.outcome === "failed") {
      this.failed.set(id, { line, reason: storable(result.reason) });
    } else this.open += 1;
  }

  private doubled(id: string): string | null {
    const line = this.lines.get(id);
    return line === undefined ? null : `The payout is already on line ${line}.`;
  }
}

/** Postgres stores no NUL, and a lone surrogate has no UTF-8 form. */
function storable(reason: string): string {
  return reason.replaceAll("\u0000", " ").slice(0, MAX_REASON_LENGTH).toWellFormed();
}

interface ResultLine {
  number: number;
  result: Result;
}

async function* batchesOf(lines: AsyncIterable<Line>, format: PayoutFormat): AsyncGenerator<ResultLine[]> {
  let read: ReadResult | null = null;
  let batch: ResultLine[] = [];
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
  { run_id, format, lines }: { run_id: string; format: PayoutFormat; lines: readonly ResultLine[] },
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
