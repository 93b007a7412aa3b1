import type { SetupStatus } from "@findersfee/contract/identity/setup";
import { findUser } from "@findersfee/database/identity/users";
import { listOrganizations } from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";
import { requireSetupToken } from "./token.ts";

/** Organizations that the first user can choose from; more exist only on servers that an operator set up. */
const MAX_OFFERED = 100;

/**
 * Returns the purpose of a setup link.
 *
 * @throws DomainError `link_invalid`
 */
export async function getSetupStatus(database: Database, token: string): Promise<SetupStatus> {
  const { user_id, expires_at } = await requireSetupToken(database, token);
  const user = user_id === null ? null : await findUser(database, user_id);
  const organizations =
    user_id === null
      ? await listOrganizations(database, { after: null, limit: MAX_OFFERED, test_data: false })
      : [];
  return {
    purpose: user_id === null ? "first_user" : "user",
    user: user === null ? null : { name: user.name, email: user.email },
    organizations: organizations.map(({ id, name, currency }) => ({ id, name, currency })),
    expires_at: expires_at.toISOString(),
  };
}
