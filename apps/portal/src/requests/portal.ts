import type { PortalRouter } from "@findersfee/api/portal/router";
import { createProcedures } from "@findersfee/ui/requests/procedures";
import type { inferRouterOutputs } from "@trpc/server";

export type Outputs = inferRouterOutputs<PortalRouter>;

let embedded: Record<string, string> = {};

/**
 * In a frame, where browsers block cookies, and for staff, since their browser may have an affiliate's cookie, requests carry the session
 * themselves.
 */
export function sendEmbeddedSession(session: string): void {
  embedded = { "findersfee-portal-session": session };
}

/** The operations of the address that is signed in. The session is in a cookie, which scripts cannot read. */
export const portal = createProcedures<PortalRouter>("/trpc", () => embedded);

/** The operations of one of its affiliates. */
export function portalOf(affiliate_id: string): typeof portal {
  return createProcedures<PortalRouter>("/trpc", () => ({
    ...embedded,
    "findersfee-affiliate": affiliate_id,
  }));
}
