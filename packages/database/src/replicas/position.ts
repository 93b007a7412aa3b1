import type { Connection } from "../postgres/connect.ts";

/** A place in the write-ahead log of Postgres (an LSN), in bytes. A server that has replayed it has every change before it. */
export type Position = bigint;

/** Where nothing has been written yet: every standby has replayed it. */
export const FIRST_POSITION: Position = 0n;
/** No standby has replayed it. */
export const LAST_POSITION: Position = 0xffff_ffff_ffff_ffffn;

/** Parses Postgres' notation, `16/B374D848`; null: it is none. */
export function parsePosition(text: string): Position | null {
  const match = /^([0-9a-f]{1,8})\/([0-9a-f]{1,8})$/i.exec(text);
  if (match === null) return null;
  return BigInt(`0x${match[1]}`) * 0x1_0000_0000n + BigInt(`0x${match[2]}`);
}

/** In Postgres' notation. */
export function positionText(position: Position): string {
  const hex = (half: bigint) => half.toString(16).toUpperCase();
  return `${hex(position / 0x1_0000_0000n)}/${hex(position % 0x1_0000_0000n)}`;
}

/**
 * The position behind everything that the primary has committed. Unlike the position up to which the log is on disk, it also covers
 * commits that did not wait for the disk (`synchronous_commit`).
 */
export async function currentPosition(sql: Connection): Promise<Position> {
  const [{ position }] = await sql<[{ position: string }]>`
    select pg_current_wal_insert_lsn()::text as position`;
  return parsePosition(position) ?? LAST_POSITION;
}
