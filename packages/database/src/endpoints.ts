import type { Connection } from "./connect.ts";

export interface NewEndpoint {
  id: string;
  url: string;
  /** Null: every type, those of later versions too. */
  event_types: string[] | null;
  description: string;
  secret_encrypted: Buffer;
  enabled: boolean;
  created_at: Date;
}

export async function insertEndpoint(
  sql: Connection,
  organizationId: string,
  endpoint: NewEndpoint,
): Promise<void> {
  await sql`insert into endpoints ${sql({ ...endpoint, organization_id: organizationId })}`;
}

/** The secret of one endpoint, whichever comes first; null when there is none. */
export async function findSomeEndpointSecret(
  sql: Connection,
): Promise<{ organization_id: string; endpoint_id: string; secret_encrypted: Buffer } | null> {
  const [row] = await sql<{ organization_id: string; endpoint_id: string; secret_encrypted: Buffer }[]>`
    select organization_id, id as endpoint_id, secret_encrypted from endpoints limit 1`;
  return row ?? null;
}
