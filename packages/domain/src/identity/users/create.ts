import type { Role } from "@findersfee/contract/identity/roles";
import { hasMemberWithEmail } from "@findersfee/database/identity/members";
import { lockSetup } from "@findersfee/database/identity/setup-tokens";
import { insertUser, lockUserByEmail } from "@findersfee/database/identity/users";
import { findOrganization, lockOrganization } from "@findersfee/database/organizations/organizations";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { operatorOf } from "../../audit-log/write.ts";
import { DomainError, notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { addMember } from "../members/add.ts";
import { replaceLink, type SetupLink } from "../setup/links.ts";

export interface NewUser {
  name: string;
  email: string;
  organization_id: string;
  role: Role;
}

/**
 * Creates a user, or adds the one with this address to another organization. The link of a new user lets them choose a
 * password; null: the user exists, and signs in as before.
 *
 * @throws DomainError `not_found` for an unknown organization; `member_exists`
 */
export async function createUser(
  database: Database,
  { name, email, organization_id, role }: NewUser,
): Promise<{ user_id: string; link: SetupLink | null }> {
  return await transaction(database, async (sql) => {
    await lockSetup(sql);
    await lockOrganization(sql, organization_id);
    if ((await findOrganization(sql, organization_id)) === null) throw notFound("organization");
    if (await hasMemberWithEmail(sql, organization_id, email)) throw new DomainError("member_exists");
    const existing = await lockUserByEmail(sql, email);
    const created_at = new Date();
    const user_id = existing?.id ?? newId(created_at);
    if (existing === null) {
      await insertUser(sql, { id: user_id, name, email, email_verified: true, created_at });
    }
    await addMember(sql, operatorOf(organization_id), { user_id, email, role });
    return { user_id, link: existing === null ? await replaceLink(sql, user_id) : null };
  });
}
