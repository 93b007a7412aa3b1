import type { Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";

/** Throws `insufficient_scope` for an API key: the dashboard's operations are for the organization's staff. */
export function requireStaff(principal: Principal | null): void {
  if (principal?.scopes.includes("staff")) return;
  throw new DomainError("insufficient_scope", {
    message:
      "This belongs to the dashboard; an API key cannot do it. With an API key, call tRPC at /v1/trpc.",
  });
}
