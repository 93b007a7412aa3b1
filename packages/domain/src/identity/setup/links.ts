import {
  deleteUnusedSetupTokens,
  insertSetupToken,
  lockSetup,
} from "@findersfee/database/identity/setup-tokens";
import { lockUserByEmail } from "@findersfee/database/identity/users";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { isStandby } from "@findersfee/database/replicas/probe";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { hashSecretToken, newSecretToken } from "../accounts/secret-token.ts";

/** The token of a setup link; shown once. */
export interface SetupLink {
  token: string;
  expires_at: Date;
}

const HOURS = 24;

/**
 * Makes the link that creates the first user, at the first start of a service without users; null at later starts, unless it is to
 * be made `again`, and once there is a user, and on a standby. Earlier links stay valid: somebody may have opened one.
 */
export async function makeFirstSetupLink(
  database: Database,
  { again = false }: { again?: boolean } = {},
): Promise<SetupLink | null> {
  if (await isStandby(database)) return null;
  return await transaction(database, async (sql) => {
    const { has_users, has_links } = await lockSetup(sql);
    return has_users || (has_links && !again) ? null : await insertLink(sql, null);
  });
}

/**
 * Makes a setup link for the operator: for the user with this address, who then chooses a new password; without an
 * address, for the first user. It replaces earlier ones.
 *
 * @throws DomainError `not_found`; `invalid_request` without an address if there are users
 */
export async function makeSetupLink(database: Database, email: string | null): Promise<SetupLink> {
  return await transaction(database, async (sql) => {
    const { has_users } = await lockSetup(sql);
    if (email === null) {
      if (!has_users) return await replaceLink(sql, null);
      throw new DomainError("invalid_request", {
        message: "There are users. Name one with --email, or create one with `findersfee user create`.",
      });
    }
    const user = await lockUserByEmail(sql, email);
    if (user === null) throw notFoundUser();
    if (user.disabled_at !== null) {
      throw new DomainError("invalid_request", {
        message: "This user is disabled. Enable them first: `findersfee user enable`.",
      });
    }
    return await replaceLink(sql, user.id);
  });
}

/** Replaces the unused links of a user, or of the first one (null), in the transaction of the caller. */
export async function replaceLink(sql: Connection, user_id: string | null): Promise<SetupLink> {
  await deleteUnusedSetupTokens(sql, user_id);
  return await insertLink(sql, user_id);
}

async function insertLink(sql: Connection, user_id: string | null): Promise<SetupLink> {
  const token = newSecretToken();
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + HOURS * 60 * 60 * 1000);
  await insertSetupToken(sql, {
    id: newId(created_at),
    token_hash: hashSecretToken(token),
    user_id,
    created_at,
    expires_at,
  });
  return { token, expires_at };
}

export function notFoundUser(): DomainError {
  return new DomainError("not_found", {
    message: "No user has this email. List them with `findersfee user list`.",
  });
}
