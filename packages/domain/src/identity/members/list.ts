import type { Member } from "@findersfee/contract/identity/members";
import { listMembers as listRows } from "@findersfee/database/identity/members";
import type { Context } from "../../context.ts";
import { MAX_MEMBERS } from "./limits.ts";

/** The members of the organization, by name. */
export async function listMembers({ database, organization }: Context): Promise<Member[]> {
  const rows = await listRows(database, organization.id, MAX_MEMBERS);
  return rows.map(({ created_at, last_seen_at, ...member }) => ({
    ...member,
    last_seen_at: last_seen_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  }));
}
