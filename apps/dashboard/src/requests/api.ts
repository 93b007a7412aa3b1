import type { AppRouter } from "@findersfee/api/router";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import { APPLICATION_PATH } from "./application-path.ts";

/** The operations of one organization. The session is in a cookie, which scripts cannot read. */
export type Api = TRPCClient<AppRouter>;

export function createApi(organization_id: string): Api {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${APPLICATION_PATH}/trpc`,
        headers: { "findersfee-organization": organization_id },
      }),
    ],
  });
}
