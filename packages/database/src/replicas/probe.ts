import type { Connection } from "../postgres/connect.ts";
import { LAST_POSITION, type Position, parsePosition } from "./position.ts";

/** Whether the server is a standby, which takes no writes. */
export async function isStandby(sql: Connection): Promise<boolean> {
  const [{ is_standby }] = await sql<[{ is_standby: boolean }]>`select pg_is_in_recovery() as is_standby`;
  return is_standby;
}

/** A server's report of its own state. */
export interface Probe {
  is_standby: boolean;
  /** The position that a standby has replayed, or a primary has written to disk. */
  position: Position;
  /** The database: the cluster, its timeline since the last promotion, and the name. */
  place: string;
}

/**
 * Asks a server for its position. A primary answers with the position that is on its disk, which a standby
 * can have replayed. On an idle primary, the position up to which it has reserved the log can be ahead of
 * that.
 */
export async function probe(sql: Connection): Promise<Probe> {
  const [row] = await sql<[{ is_standby: boolean; position: string | null; place: string }]>`
    select is_standby, place,
      (case when is_standby then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)::text as position
    from (
      select pg_is_in_recovery() as is_standby,
        concat_ws(' ', (select system_identifier from pg_control_system()),
          (select timeline_id from pg_control_checkpoint()), current_database()) as place
      offset 0) server`;
  const { is_standby, position, place } = row;
  return { is_standby, place, position: parsePosition(position ?? "") ?? (is_standby ? 0n : LAST_POSITION) };
}
