import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../options.ts";

const ID = /^"?([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})"?(?:[\s,;]|$)/;
/** Ids in memory at once: about 20 MB. */
const CHUNK = 200_000;

/**
 * Passes the ids of a file (`-`: standard input) to `work` in ascending order. Each line begins with an id; a
 * comma or a space ends it, and the rest, such as a time, is ignored. A first line without an id is a header.
 * Large files are sorted in parts, in temporary files.
 *
 * @throws UsageError for another line without an id, or an unreadable file
 */
export async function withSortedIds<Result>(
  file: string,
  work: (ids: AsyncIterable<string>) => Promise<Result>,
  { chunk = CHUNK }: { chunk?: number } = {},
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "findersfee-ids-"));
  try {
    const parts: string[] = [];
    let held: string[] = [];
    for await (const id of readIds(file)) {
      held.push(id);
      if (held.length < chunk) continue;
      const part = join(folder, String(parts.length));
      await pipeline(Readable.from(lines(held.sort())), createWriteStream(part));
      parts.push(part);
      held = [];
    }
    held.sort();
    return await work(merge([...parts.map(linesOf), Readable.from(held)]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function* lines(ids: readonly string[]): Generator<string> {
  for (const id of ids) yield `${id}\n`;
}

/** The file is opened when its first line is asked for: an interface that nobody reads yet loses lines. */
async function* linesOf(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file) });
}

async function* readIds(file: string): AsyncGenerator<string> {
  const input = file === "-" ? process.stdin : createReadStream(file);
  let number = 0;
  try {
    for await (const line of createInterface({ input })) {
      number += 1;
      if (line.trim() === "") continue;
      const id = ID.exec(line.trim())?.[1];
      if (id !== undefined) yield id.toLowerCase();
      else if (number > 1)
        throw new UsageError(`--ids: Line ${number} does not begin with the id of an event.`);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--ids: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A few hundred parts at most: the smallest is found by comparing all. */
async function* merge(parts: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
  const heads: { id: string; rest: AsyncIterator<string> }[] = [];
  for (const part of parts) {
    const rest = part[Symbol.asyncIterator]();
    const { value, done } = await rest.next();
    if (done !== true) heads.push({ id: value, rest });
  }
  while (heads.length > 0) {
    const first = heads.reduce((least, head) => (head.id < least.id ? head : least));
    yield first.id;
    const { value, done } = await first.rest.next();
    if (done === true) heads.splice(heads.indexOf(first), 1);
    else first.id = value;
  }
}
