import { portalMeSchema } from "@findersfee/contract/portal/program";
import { getPortalMe } from "@findersfee/domain/portal/me";
import { addressProcedure, portalRouter } from "./trpc.ts";

/** The affiliate who is signed in. */
export const me = portalRouter({
  get: addressProcedure.output(portalMeSchema).query(({ ctx }) => getPortalMe(ctx.database, ctx.session)),
});
