import { changePageSchema, listChangesInput } from "@findersfee/contract/changes";
import { listChanges } from "@findersfee/domain/changes/list";
import { router, staffProcedure } from "../trpc.ts";

/** Who changed what. */
export const changes = router({
  list: staffProcedure
    .input(listChangesInput)
    .output(changePageSchema)
    .query(({ ctx, input }) => listChanges(ctx.domain, input)),
});
