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
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { memberFields } from "./fields.ts";
import { requireManager } from "./rights.ts";

/**
 * Gives a member another role. It counts within a second.
 *
 * @throws DomainError `not_found`, `forbidden_role`, `last_owner`
 */
export async function changeMember(
  context: Context,
  { user_id, role }: { user_id: string; role: Role },
): Promise<void> {
  const work = async (sql: Connection) => {
    const before = await lockMember(sql, context, user_id);
    await requireManager(sql, context, [before.role, role]);
    await updateMemberRole(sql, context.organization.id, { user_id, role });
    if (before.role === "owner") await requireOwner(sql, context);
    await writeAuditEntry(sql, context, {
      resource: "member",
      id: user_id,
      action: "updated",
      before: memberFields(before),
      after: memberFields({ ...before, role }),
    });
  };
  await inTransaction(context, work, { member_ids: [user_id] });
}

/**
 * Removes a member. Open pages of that person stop working within a second. The user and their other organizations stay.
 *
 * @throws DomainError `not_found`, `forbidden_role`, `last_owner`
 */
export async function removeMember(context: Context, user_id: string): Promise<void> {
  const work = async (sql: Connection) => {
    const before = await lockMember(sql, context, user_id);
    await requireManager(sql, context, [before.role]);
    await deleteMember(sql, context.organization.id, user_id);
    if (before.role === "owner") await requireOwner(sql, context);
    await writeAuditEntry(sql, context, {
      resource: "member",
      id: user_id,
      action: "deleted",
      before: memberFields(before),
      after: null,
    });
  };
  await inTransaction(context, work, { member_ids: [user_id] });
}

/** Locks the organization first: of two owners who remove each other at once, one stays. */
async function lockMember(
  sql: Connection,
  { organization }: Context,
  user_id: string,
): Promise<MemberWithEmailRow> {
  await lockOrganization(sql, organization.id);
  const member = await findMember(sql, organization.id, user_id);
  if (member !== null) return member;
  throw new DomainError("not_found", { message: "The organization has no such member." });
}

async function requireOwner(sql: Connection, { organization }: Context): Promise<void> {
  if ((await countOwners(sql, organization.id)) === 0) throw new DomainError("last_owner");
}
