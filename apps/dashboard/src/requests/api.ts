import type { AppRouter } from "@findersfee/api/router";
import type { TRPCClient } from "@trpc/client";
import { createProcedures } from "./procedures.ts";

/** The operations of one organization. The session is in a cookie, which scripts cannot read. */
export type Api = TRPCClient<AppRouter>;

export function createApi(organization_id: string): Api {
  return createProcedures<AppRouter>("/trpc", { "findersfee-organization": organization_id });
}
