import type { AccessChoice, ChangeMember, RemoveMember } from "@findersfee/contract/identity/members";
import type { Role } from "@findersfee/contract/identity/roles";
import {
  countOwners,
  deleteMember,
  findMember,
  type MemberWithEmailRow,
  updateMemberRole,
} from "@findersfee/database/identity/members";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { memberFields } from "../members/fields.ts";
import { requireManager } from "../rights/roles.ts";
import { noSuchMember } from "./access.ts";
import { endAccess, requireOthersChoice } from "./end-access.ts";

/**
 * Gives a member another role. It counts within a second. The member's access that the role does not allow
 * ends in the same transaction, unless the caller keeps it.
 *
 * @throws DomainError `not_found`, `forbidden_role`, `last_owner`; `invalid_request` for those who keep
 * something of their own
 */
export async function changeMember(sender: Context, { user_id, role, ...kept }: ChangeMember): Promise<void> {
  const context = hasLessRights(role) ? beyondQuotas(sender) : sender;
  requireOthersChoice(context, { user_id, ...kept });
  const work = async (sql: Connection) => {
    const before = await requireMember(sql, context, user_id);
    await requireManager(sql, context, [before.role, role]);
    await writeMemberRole(sql, context, { before, role, ...kept });
  };
  await inTransaction(context, work, { member_ids: [user_id] });
}

/**
 * Removes a member. Open pages of that person stop working within a second. Access that the member made ends
 * in the same transaction, unless the caller keeps it. The user and their other organizations stay.
 *
 * @throws DomainError `not_found`, `forbidden_role`, `last_owner`; `invalid_request` for those who keep
 * something of their own
 */
export async function removeMember(sender: Context, { user_id, ...kept }: RemoveMember): Promise<void> {
  const context = beyondQuotas(sender);
  requireOthersChoice(context, { user_id, ...kept });
  const work = async (sql: Connection) => {
    const before = await requireMember(sql, context, user_id);
    await requireManager(sql, context, [before.role]);
    await dropMember(sql, context, { before, ...kept });
  };
  await inTransaction(context, work, { member_ids: [user_id] });
}

/** From a viewer to one, too, which changes nothing: only a larger role makes another smaller one possible. */
const hasLessRights = (role: Role): boolean => role === "viewer";

interface ChangedMember extends AccessChoice {
  before: MemberWithEmailRow;
}

/**
 * Gives a member another role in the transaction of the caller, who has locked the member and checked the change.
 *
 * @throws DomainError `last_owner`
 */
export async function writeMemberRole(
  sql: Connection,
  author: Author,
  { before, role, ...kept }: ChangedMember & { role: Role },
): Promise<void> {
  const { user_id } = before;
  const endRest = await endAccess(sql, author, { user_id, role, ...kept });
  await lockOrganization(sql, author.organization.id);
  await updateMemberRole(sql, author.organization.id, { user_id, role });
  if (before.role === "owner") await requireOwner(sql, author);
  await endRest();
  await writeAuditEntry(sql, author, {
    resource: "member",
    id: user_id,
    action: "updated",
    before: memberFields(before),
    after: memberFields({ ...before, role }),
  });
}

/**
 * Removes a member in the transaction of the caller, who has locked the member and checked the change.
 *
 * @throws DomainError `last_owner`
 */
export async function dropMember(
  sql: Connection,
  author: Author,
  { before, ...kept }: ChangedMember,
): Promise<void> {
  const { user_id } = before;
  const endRest = await endAccess(sql, author, { user_id, role: null, ...kept });
  // If two owners remove each other at once, one stays.
  await lockOrganization(sql, author.organization.id);
  await deleteMember(sql, author.organization.id, user_id);
  if (before.role === "owner") await requireOwner(sql, author);
  await endRest();
  await writeAuditEntry(sql, author, {
    resource: "member",
    id: user_id,
    action: "deleted",
    before: memberFields(before),
    after: null,
  });
}

async function requireMember(
  sql: Connection,
  { organization }: Context,
  user_id: string,
): Promise<MemberWithEmailRow> {
  const member = await findMember(sql, organization.id, user_id);
  if (member === null) throw noSuchMember();
  return member;
}

async function requireOwner(sql: Connection, { organization }: Author): Promise<void> {
  if ((await countOwners(sql, organization.id)) === 0) throw new DomainError("last_owner");
}
