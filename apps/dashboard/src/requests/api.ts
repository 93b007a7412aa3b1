import type { AppRouter } from "@findersfee/api/router";
import { createProcedures } from "@findersfee/ui/requests/procedures";
import type { TRPCClient } from "@trpc/client";

/** The operations of one organization. The session is in a cookie, which scripts cannot read. */
export type Api = TRPCClient<AppRouter>;

export function createApi(organization_id: string): Api {
  return createProcedures<AppRouter>("/trpc", () => ({ "findersfee-organization": organization_id }));
}
