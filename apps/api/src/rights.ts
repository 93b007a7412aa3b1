import { DomainError } from "@findersfee/domain/errors";
import type { Scope } from "@findersfee/domain/identity/api-keys/create";
import type { Right } from "@findersfee/domain/identity/rights/right";
import { requireRole } from "@findersfee/domain/identity/rights/roles";
import type { Principal } from "@findersfee/domain/principal";

/** The scope `admin` includes `view`, as the role admin includes viewer. */
const INCLUDED_IN: Partial<Record<Scope, Scope>> = { view: "admin" };

/** Throws `insufficient_scope` for an API key without the right, `forbidden_role` for a person. */
export function requireRight(principal: Principal, { scope, role, instead = "" }: Right): void {
  if (principal.kind === "api_key") {
    requireScope(principal.scopes, scope);
    return;
  }
  if (role === null) {
    const message = `Only API keys can call this operation. ${instead}`.trim();
    throw new DomainError("forbidden_role", { message });
  }
  requireRole(principal.role, role);
}

function requireScope(scopes: readonly Scope[], scope: Right["scope"]): void {
  if (scope === null) {
    throw new DomainError("insufficient_scope", {
      message: "API keys cannot call this operation: a person must sign in to the dashboard.",
    });
  }
  const including = INCLUDED_IN[scope];
  if (scopes.includes(scope) || (including !== undefined && scopes.includes(including))) return;
  throw new DomainError("insufficient_scope", {
    message: `This operation needs an API key with the scope \`${scope}\`.`,
  });
}

/** Throws `insufficient_scope` for an API key of a program that uses only the API. */
export function requireDashboardAccess(principal: Principal | null): void {
  if (principal?.kind === "staff_session") return;
  if (principal?.scopes.includes("view") || principal?.scopes.includes("admin")) return;
  throw new DomainError("insufficient_scope", {
    message:
      "Only the dashboard, and API keys with the scope `view` or `admin`, can call this operation; others use tRPC at /v1/trpc.",
  });
}
