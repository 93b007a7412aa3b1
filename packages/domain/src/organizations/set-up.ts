import type { CompleteSetup, SetupCompleted } from "@findersfee/contract/identity/setup";
import { deleteUserDevices } from "@findersfee/database/identity/devices";
import { listUserOrganizations } from "@findersfee/database/identity/members";
import { deleteUserPasskeys } from "@findersfee/database/identity/passkeys";
import { findPasswordHash, upsertPassword } from "@findersfee/database/identity/passwords";
import { deleteSecondFactor } from "@findersfee/database/identity/second-factors";
import { deleteUserSessions } from "@findersfee/database/identity/sessions";
import { lockSetup, markSetupTokenUsed } from "@findersfee/database/identity/setup-tokens";
import { insertUser, lockUser } from "@findersfee/database/identity/users";
import { deleteUserVerifications } from "@findersfee/database/identity/verifications";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Connection, type Database, transaction } from "@findersfee/database/postgres/connect";
import { DomainError, invalidField, notFound } from "../errors.ts";
import type { WaitingBrowser } from "../identity/accounts/browser.ts";
import { openSession, type SignedInBrowser } from "../identity/accounts/open-session.ts";
import { hashPassword, requireGoodPassword, requireWaiting } from "../identity/accounts/password.ts";
import { passwordOwner } from "../identity/accounts/password-owner.ts";
import { recordSecurityEvent } from "../identity/accounts/record-security-event.ts";
import { addMember } from "../identity/members/add.ts";
import { requireSetupToken } from "../identity/setup/token.ts";
import { newId } from "../ids.ts";
import { requireNoAddress } from "../shown-name.ts";
import { addOrganizationOfPerson } from "./create.ts";

interface Completed extends SetupCompleted {
  session: SignedInBrowser;
}

/**
 * Uses a setup link up, and signs the person in. The first user gets an organization, new or existing, as its owner. An
 * existing user gets a new password; passkeys, second factor and sessions end, because such a link is for somebody who
 * lost them.
 *
 * @throws DomainError `link_invalid`; `invalid_request`; `not_found` for an unknown organization
 */
export async function completeSetup(
  database: Database,
  input: CompleteSetup,
  browser: WaitingBrowser,
): Promise<Completed> {
  await requireSetupToken(database, input.token);
  const password_hash = await hashPassword(input.password, browser);
  return await transaction(database, async (sql) => {
    // Locked: if two requests use one link, the second finds it used.
    await lockSetup(sql);
    const { id, user_id: existing } = await requireSetupToken(sql, input.token);
    const now = new Date();
    const user_id =
      existing === null
        ? await createFirstUser(sql, input, now)
        : await readmit(sql, { user_id: existing, browser }, input);
    await upsertPassword(sql, { user_id, password_hash, updated_at: now });
    await markSetupTokenUsed(sql, { id, used_at: now });
    const [organization] = await listUserOrganizations(sql, user_id);
    const session = await openSession(sql, { user_id, method: "setup_link" }, browser);
    requireWaiting(browser);
    return { session, organization_slug: organization?.slug ?? null };
  });
}

async function createFirstUser(sql: Connection, input: CompleteSetup, created_at: Date): Promise<string> {
  const { name, email } = requireFirstUser(input);
  requireNoAddress("name", name);
  requireNoAddress("organization.name", input.organization?.name);
  const id = newId(created_at);
  // The operator, who passed the link on, vouches for the address.
  await insertUser(sql, { id, name, email, email_verified: true, created_at });
  const organization_id = await chooseOrganization(sql, input, id);
  const author = { organization: { id: organization_id }, actor: { kind: "user" as const, id } };
  await addMember(sql, author, { user_id: id, email, role: "owner" });
  await requireGoodPassword(input.password, await passwordOwner(sql, { id, email, name }));
  return id;
}

function requireFirstUser({ name, email, organization, organization_id }: CompleteSetup) {
  if (name === undefined) throw invalidField("name", "Required.");
  if (email === undefined) throw invalidField("email", "Required.");
  if ((organization === undefined) === (organization_id === undefined)) {
    throw invalidField("organization", "Name either a new organization or an existing one.");
  }
  return { name, email };
}

async function chooseOrganization(
  sql: Connection,
  { organization, organization_id }: CompleteSetup,
  user_id: string,
): Promise<string> {
  if (organization !== undefined) {
    const created = await addOrganizationOfPerson(
      sql,
      { ...organization, subscription_status: "active" },
      { kind: "user", id: user_id },
    );
    return created.organization_id;
  }
  if (organization_id === undefined || (await findOrganization(sql, organization_id)) === null) {
    throw notFound("organization");
  }
  return organization_id;
}

async function readmit(
  sql: Connection,
  { user_id, browser }: { user_id: string; browser: WaitingBrowser },
  { password }: CompleteSetup,
): Promise<string> {
  const user = await lockUser(sql, user_id);
  if (user === null || user.disabled_at !== null) throw new DomainError("link_invalid");
  await requireGoodPassword(password, await passwordOwner(sql, user));
  await deleteUserPasskeys(sql, user_id);
  await deleteSecondFactor(sql, user_id);
  await deleteUserVerifications(sql, user_id);
  await deleteUserSessions(sql, user_id, { except: null });
  await deleteUserDevices(sql, user_id);
  const had_password = (await findPasswordHash(sql, user_id)) !== null;
  if (had_password)
    await recordSecurityEvent(sql, {
      user_id,
      kind: "password_reset",
      browser,
      actor: "operator",
      mailed: true,
    });
  return user_id;
}
