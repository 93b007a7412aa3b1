import type { Connection } from "../postgres/connect.ts";

export interface EventIdRow {
  id: string;
  type: string;
  created_at: Date;
  /** Sent to test an endpoint. */
  test: boolean;
}

/** Returns events of an organization from this id on, or after it, oldest first. */
export async function listEventIds(
  sql: Connection,
  organizationId: string,
  { from_id, after_id, limit }: { from_id: string; after_id: string | null; limit: number },
): Promise<EventIdRow[]> {
  return await sql<EventIdRow[]>`
    select id, type, created_at, test from events
    where organization_id = ${organizationId} and id >= ${from_id}
      ${after_id === null ? sql`` : sql`and id > ${after_id}`}
    order by id limit ${limit}`;
}
