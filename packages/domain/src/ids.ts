import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const ID_BYTES = 16;
/** One call fills the random bytes of 256 ids, because a call for each id would take five times as long as the id. */
const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;
/** The last 32 bits of an id. */
const TAG_BYTE = 12;
const TAG_DIGITS = 8;

let last_milliseconds = Number.NaN;
let sequence = 0;

/**
 * A UUIDv7 (RFC 9562) of the given moment. The ids that a process creates within a millisecond ascend: they share a
 * counter of 32 bits with a random start. Another 42 bits are random.
 */
export function newId(at: Date): string {
  return createId(at, randomBytes());
}

/** As `newId`, with a given number of 32 bits in place of the last random ones. */
export function newTaggedId(at: Date, tag: number): string {
  const random = randomBytes();
  random.writeUInt32BE(tag, TAG_BYTE);
  return createId(at, random);
}

/** The number given to `newTaggedId`. For other UUIDs the result is meaningless; for other text, NaN. */
export function tagOfId(id: string): number {
  return isId(id) ? Number.parseInt(id.slice(-TAG_DIGITS), 16) : Number.NaN;
}

function createId(at: Date, random: Buffer): string {
  const msecs = at.getTime();
  // 31 bits, so that the counter does not overflow within a millisecond.
  sequence = msecs === last_milliseconds ? (sequence + 1) | 0 : random.readUInt32BE(0) >>> 1;
  last_milliseconds = msecs;
  return v7({ msecs, seq: sequence, random });
}

function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}

/** The smallest UUIDv7 of a time. Ids of earlier times are below it, all others are not. */
export function firstIdOf(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The time of a UUIDv7. For other UUIDs the result is meaningless. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID in a form that Postgres accepts. */
export function isId(text: string): boolean {
  return ID.test(text);
}
