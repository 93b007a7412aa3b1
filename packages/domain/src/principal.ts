import type { AffiliateState } from "@findersfee/contract/affiliates/rows";
import type { Role } from "@findersfee/contract/identity/roles";
import type { Actor } from "./actor.ts";
import type { OrganizationContext } from "./context.ts";
import type { Scope } from "./identity/api-keys/create.ts";
import type { AllowedNetworks } from "./identity/rights/networks.ts";

/** A program: its key, the key's scopes, and the organization that it belongs to. */
export interface ApiKeyPrincipal {
  kind: "api_key";
  key_id: string;
  scopes: readonly Scope[];
  /** Where requests with it may come from; null: anywhere. */
  networks: AllowedNetworks | null;
  organization: OrganizationContext;
}

/** A person who signed in to the dashboard, with the role in the organization of the request. */
export interface StaffSession {
  kind: "staff_session";
  session_id: string;
  user_id: string;
  role: Role;
  organization: OrganizationContext;
}

/** An affiliate who signed in to the portal. It is never a sender of the API or the dashboard. */
export interface AffiliateSession {
  kind: "affiliate_session";
  session_id: string;
  affiliate_id: string;
  /** Only an active affiliate sees more than its state. */
  state: AffiliateState;
  organization: OrganizationContext;
}

/** The sender of a request for an organization. */
export type Principal = ApiKeyPrincipal | StaffSession;

/** The author of the principal's changes. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case "api_key":
      return { kind: "key", id: principal.key_id };
    case "staff_session":
      return { kind: "user", id: principal.user_id };
  }
}
