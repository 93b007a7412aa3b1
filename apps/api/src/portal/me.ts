import { portalMeSchema } from "@findersfee/contract/portal/program";
import { getPortalMe } from "@findersfee/domain/portal/me";
import { portalRouter, sessionProcedure } from "./trpc.ts";

/** The affiliate who is signed in. */
export const me = portalRouter({
  get: sessionProcedure.output(portalMeSchema).query(({ ctx }) => getPortalMe(ctx.database, ctx.session)),
});
