import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

export interface PortalHostRow {
  organization_id: string;
  slug: string;
  /** When a request last named the host, to the hour; null: never. */
  seen_at: Date | null;
}

const FIND = statement<PortalHostRow, "host">(`
  select id as organization_id, slug, portal_host_seen_at as seen_at from organizations
  where portal_host = :host::text and test_of is null`);

/** The organization that has its portal at a host name. */
export async function findPortalHost(sql: Connection, host: string): Promise<PortalHostRow | null> {
  const [row] = await FIND.run(sql, { host });
  return row ?? null;
}

/** Stores that a request named the host, at most once an hour across all processes. */
export async function touchPortalHost(
  sql: Connection,
  { organization_id, host }: { organization_id: string; host: string },
): Promise<void> {
  await sql`
    update organizations set portal_host_seen_at = now()
    where id = ${organization_id} and portal_host = ${host}
      and coalesce(portal_host_seen_at < now() - interval '1 hour', true)`;
}
