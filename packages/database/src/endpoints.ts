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
