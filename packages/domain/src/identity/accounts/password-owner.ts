import { listUserOrganizations } from "@findersfee/database/identity/members";
import type { UserRow } from "@findersfee/database/identity/users";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { PasswordOwner } from "./common-passwords.ts";

/**
 * The names that a user's password must not consist of: the address, the name, and the names of their
 * organizations.
 */
export async function passwordOwner(
  sql: Connection,
  { id, email, name }: Pick<UserRow, "id" | "email" | "name">,
): Promise<PasswordOwner> {
  const organizations = await listUserOrganizations(sql, id);
  return { email, names: [name, ...organizations.map((organization) => organization.name)] };
}
