import { type ListedUserRow, listUsers as selectUsers } from "@findersfee/database/identity/users";
import type { Database } from "@findersfee/database/postgres/connect";

/** A user as the operator sees it. */
export type User = ListedUserRow;

const PAGE = 500;

/** All users in the order of their creation, read page by page. */
export async function listUsers(database: Database): Promise<User[]> {
  const users: User[] = [];
  for (;;) {
    const page = await selectUsers(database, { after: users.at(-1)?.id ?? null, limit: PAGE });
    users.push(...page);
    if (page.length < PAGE) return users;
  }
}
