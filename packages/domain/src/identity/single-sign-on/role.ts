import { type Role, roles } from "@findersfee/contract/identity/roles";
import type { SignInProviderRow } from "@findersfee/database/identity/sign-in-providers";

/**
 * The role that claims give: the highest one of the claim's values, which are a text or a list; else the default role. Without a
 * claim in the settings, members keep their role. Null: none, and the person cannot sign in.
 */
export function roleOf(
  {
    role_claim,
    claim_roles,
    default_role,
  }: Pick<SignInProviderRow, "role_claim" | "claim_roles" | "default_role">,
  claims: Readonly<Record<string, unknown>>,
  present: Role | null,
): Role | null {
  if (role_claim === null) return present ?? default_role;
  const value = Object.hasOwn(claims, role_claim) ? claims[role_claim] : undefined;
  const values = new Set((Array.isArray(value) ? value : [value]).map(String));
  const given = Object.entries(claim_roles)
    .filter(([name]) => values.has(name))
    .map(([, role]) => roles.indexOf(role));
  return given.length === 0 ? default_role : (roles[Math.max(...given)] ?? null);
}
