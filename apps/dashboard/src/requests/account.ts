import type { AccountRouter } from "@findersfee/api/identity/account/router";
import { createProcedures } from "@findersfee/ui/requests/procedures";
import type { inferRouterOutputs } from "@trpc/server";

/** The operations of the person who is signed in. */
export const account = createProcedures<AccountRouter>("/account/trpc");

export type Me = inferRouterOutputs<AccountRouter>["me"]["get"];
