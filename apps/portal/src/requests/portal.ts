import type { PortalRouter } from "@findersfee/api/portal/router";
import { createProcedures } from "@findersfee/ui/requests/procedures";
import type { inferRouterOutputs } from "@trpc/server";

export type Outputs = inferRouterOutputs<PortalRouter>;

/** The operations of the address that is signed in. The session is in a cookie, which scripts cannot read. */
export const portal = createProcedures<PortalRouter>("/trpc");

/** The operations of one of its affiliates. */
export function portalOf(affiliate_id: string): typeof portal {
  return createProcedures<PortalRouter>("/trpc", { "findersfee-affiliate": affiliate_id });
}
