import type { Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";

/** Throws `insufficient_scope` for an API key: the dashboard's operations are for the organization's staff. */
export function requireStaff(principal: Principal | null): void {
  if (principal?.scopes.includes("staff")) return;
  throw new DomainError("insufficient_scope", {
    message: "Only the dashboard can call this operation; API keys use tRPC at /v1/trpc.",
  });
}
