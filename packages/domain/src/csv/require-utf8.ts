import { isUtf8 } from "node:buffer";
import { refuseFile } from "./invalid-lines.ts";

const LINE_FEED = 0x0a;
const NOT_UTF8 = "Is not UTF-8. Save the file as “CSV UTF-8”.";

/**
 * Passes on the bytes of a text file that are UTF-8, line by line or more. It refuses other encodings because
 * Excel saves CSV as Windows-1252, which would lose accents. Throws `invalid_request` with the number of the
 * first line that is not UTF-8, or is longer than `max_line_bytes`, with `too_long` as the reason; or if the
 * file has more than `max_lines`, empty ones included.
 */
export async function* requireUtf8(
  bytes: AsyncIterable<Uint8Array>,
  { max_line_bytes, max_lines, too_long }: { max_line_bytes: number; max_lines: number; too_long: string },
): AsyncGenerator<Uint8Array> {
  let line = 1;
  /** The start of a line that has not ended. */
  let rest = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const all = Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(LINE_FEED) + 1;
    const lines = all.subarray(0, end);
    requireText(lines, line);
    line += countLines(lines);
    if (line > max_lines) throw refuseFile(max_lines, `The file has more than ${max_lines} lines.`);
    rest = all.subarray(end);
    if (rest.length > max_line_bytes) throw refuseFile(line, too_long);
    if (lines.length > 0) yield lines;
  }
  requireText(rest, line);
  if (rest.length > 0) yield rest;
}

/** `first` is the number of the first line. */
function requireText(lines: Buffer, first: number): void {
  if (isText(lines)) return;
  let line = first;
  for (let start = 0; start < lines.length; line++) {
    const end = lines.indexOf(LINE_FEED, start);
    const next = end === -1 ? lines.length : end + 1;
    if (!isText(lines.subarray(start, next))) break;
    start = next;
  }
  throw refuseFile(line, NOT_UTF8);
}

/** UTF-16 without a byte-order mark is valid UTF-8 with NUL characters. */
function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let place = bytes.indexOf(LINE_FEED); place !== -1; place = bytes.indexOf(LINE_FEED, place + 1))
    count++;
  return count;
}
