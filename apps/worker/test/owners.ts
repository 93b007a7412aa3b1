import type { Database } from "@findersfee/database/postgres/connect";
import { createUser } from "@findersfee/domain/identity/users/create";

/** Makes users with these addresses the owners of an organization, in place of the former ones. */
export async function setOwners(
  database: Database,
  organization_id: string,
  emails: readonly string[],
): Promise<void> {
  await database`delete from members where organization_id = ${organization_id}`;
  for (const email of emails) {
    await createUser(database, { name: email, email, organization_id, role: "owner" });
  }
}
