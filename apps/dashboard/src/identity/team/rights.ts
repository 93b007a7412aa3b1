import type { Role } from "../../session/session.tsx";
import type { Member } from "./queries.ts";

/** Whether somebody with the role `manager` may give and take this role; the service has the same rule. */
export function mayManage(manager: Role, role: Role): boolean {
  return manager === "owner" || (manager === "admin" && role !== "owner");
}

/** The owner who is the last one; null: there are several. */
export function onlyOwner(members: readonly Member[]): Member | null {
  const [first, ...others] = members.filter(({ role, is_disabled }) => role === "owner" && !is_disabled);
  return first !== undefined && others.length === 0 ? first : null;
}
