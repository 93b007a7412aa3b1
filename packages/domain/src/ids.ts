import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4096;
/** 32 bits. */
const TAG_DIGITS = 8;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;
let last_milliseconds = 0;
let sequence = 0;

/**
 * A UUIDv7 (RFC 9562) of this moment, with a 12-bit counter in `rand_a`, so that the ids of one process
 * ascend even within a millisecond, and 62 random bits.
 */
export function newId(at: Date): string {
  const random = randomDigits();
  return `${newIdStart(at, random)}${random.slice(8)}`;
}

/** As `newId`, with a given number of 32 bits in place of the last random ones. */
export function newTaggedId(at: Date, tag: number): string {
  return `${newIdStart(at, randomDigits())}${tag.toString(16).padStart(TAG_DIGITS, "0")}`;
}

/** The number that `newTaggedId` was given; of another UUID, any; of another text, NaN. */
export function tagOfId(id: string): number {
  return isId(id) ? Number.parseInt(id.slice(-TAG_DIGITS), 16) : Number.NaN;
}

function randomDigits(): string {
  if (used + 8 > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  used += 8;
  return pool.toString("hex", used - 8, used);
}

/** All but the last 32 bits. */
function newIdStart(at: Date, random: string): string {
  const milliseconds = at.getTime();
  if (milliseconds === last_milliseconds) {
    sequence = (sequence + 1) & 0xfff;
  } else {
    last_milliseconds = milliseconds;
    sequence = 0;
  }
  const time = milliseconds.toString(16).padStart(12, "0");
  const variant = ((Number.parseInt(random.charAt(0), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, "0")}-${variant}${random.slice(1, 4)}-${random.slice(4, 8)}`;
}

/** The smallest UUIDv7 of a moment: ids made before it are below, ids made from it on are not. */
export function firstIdOf(at: Date): string {
  const time = at.getTime().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The moment that a UUIDv7 was made for; of another UUID, any. */
export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID, as Postgres takes one. */
export function isId(text: string): boolean {
  return ID.test(text);
}
