import { type Role, roles } from "@findersfee/contract/identity/roles";
import { findCurrentRole } from "@findersfee/database/identity/members";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";

/** Whether somebody with the role `manager` may give and take these roles: owners all, admins all but `owner`. */
export function mayManage(manager: Role, roles: readonly Role[]): boolean {
  return manager === "owner" || (manager === "admin" && !roles.includes("owner"));
}

/** @throws DomainError `forbidden_role` for a role below the least one that an operation needs */
export function requireRole(role: Role, least: Role): void {
  const sufficient = roles.slice(roles.indexOf(least));
  if (sufficient.includes(role)) return;
  throw new DomainError("forbidden_role", {
    message: `This operation needs the role ${sufficient.join(" or ")}; yours is ${role}.`,
  });
}

/** @throws DomainError `forbidden_role` */
function requireMayManage(manager: Role, roles: readonly Role[]): void {
  if (mayManage(manager, roles)) return;
  const needed = roles.includes("owner") ? "an owner" : "an owner or an admin";
  throw new DomainError("forbidden_role", { message: `Only ${needed} of the organization can do this.` });
}

/**
 * Requires that the acting person may give and take these roles now; returns their role.
 *
 * @throws DomainError `not_a_member`, also for programs; `forbidden_role`
 */
export async function requireManager(
  sql: Connection,
  { organization, actor }: Context,
  roles: readonly Role[],
): Promise<Role> {
  const role = actor.kind === "user" ? await findCurrentRole(sql, organization.id, actor.id) : null;
  if (role === null) throw new DomainError("not_a_member");
  requireMayManage(role, roles);
  return role;
}
