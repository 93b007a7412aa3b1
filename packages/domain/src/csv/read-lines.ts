import { Readable } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { refuseFile } from "./invalid-lines.ts";
import { requireUtf8 } from "./require-utf8.ts";

/** Maximum characters per line: far more than any provider writes, and cheap to hold. */
const MAX_LINE_LENGTH = 64 * 1024;
const MAX_BYTES_PER_CHARACTER = 4;
/** Empty ones included. The files of 100,000 payouts have a tenth. */
const MAX_LINES = 1_000_000;
const TOO_LONG = `Is longer than ${MAX_LINE_LENGTH} characters.`;

export interface Line {
  /** The line number from 1; the last line of a record with several. */
  number: number;
  cells: readonly string[];
}

/**
 * Reads the lines of a CSV file (RFC 4180) as its bytes arrive. Empty lines are skipped. Throws `invalid_request` with
 * the number of a line that is not UTF-8, is not CSV, or has more or fewer cells than the first.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const parser = parse({ bom: true, info: true, skip_empty_lines: true, max_record_size: MAX_LINE_LENGTH });
  const max_line_bytes = MAX_LINE_LENGTH * MAX_BYTES_PER_CHARACTER;
  const text = requireUtf8(bytes, { max_line_bytes, max_lines: MAX_LINES, too_long: TOO_LONG });
  const source = Readable.from(text, { objectMode: false });
  source.on("error", (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const { info, record } of parser as AsyncIterable<{ info: Info; record: string[] }>) {
      yield { number: info.lines, cells: record };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuseFile(Number(error.lines) || parser.info.lines, wordsOf(error));
  } finally {
    source.destroy();
  }
}

function wordsOf({ code }: CsvError): string {
  if (code === "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH") return "Has more or fewer cells than the first line.";
  if (code === "CSV_MAX_RECORD_SIZE") return TOO_LONG;
  return "Is not valid CSV: a quote is unclosed or misplaced.";
}
