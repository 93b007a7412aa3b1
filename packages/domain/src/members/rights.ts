import type { Role } from "@findersfee/contract/roles";
import { DomainError } from "../errors.ts";

/**
 * Requires that somebody with the role `manager` may give and take these roles: owners all, admins all but `owner`.
 *
 * @throws DomainError `forbidden_role`
 */
export function requireMayManage(manager: Role, roles: readonly Role[]): void {
  if (manager === "owner") return;
  if (manager === "admin" && !roles.includes("owner")) return;
  const needed = roles.includes("owner") ? "an owner" : "an owner or an admin";
  throw new DomainError("forbidden_role", { message: `Only ${needed} of the organization can do this.` });
}
