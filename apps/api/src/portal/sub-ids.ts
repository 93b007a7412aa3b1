import { subIdsSchema } from "@findersfee/contract/portal/sub-ids";
import { listSubIds } from "@findersfee/domain/portal/sub-ids";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The results of the affiliate's sub-ids. */
export const sub_ids = portalRouter({
  list: activeProcedure.output(subIdsSchema).query(({ ctx }) => listSubIds(ctx.database, ctx.affiliate)),
});
