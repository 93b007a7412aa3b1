import type { AccountRouter } from "@findersfee/api/account/router";
import type { inferRouterOutputs } from "@trpc/server";
import { createProcedures } from "./procedures.ts";

/** The operations of the person who is signed in. */
export const account = createProcedures<AccountRouter>("/account/trpc");

export type Me = inferRouterOutputs<AccountRouter>["me"]["get"];
