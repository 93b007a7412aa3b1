import { confirmedByEmailInput, leavingSchema } from "@findersfee/contract/portal/own-settings";
import { eraseOwnData, getLeaving, leaveProgram } from "@findersfee/domain/portal/leave";
import { ownProgramProcedure, portalRouter } from "./trpc.ts";

/** The end of an affiliate's part in a program. */
export const leaving = portalRouter({
  get: ownProgramProcedure.output(leavingSchema).query(({ ctx }) => getLeaving(ctx.database, ctx.affiliate)),

  leave: ownProgramProcedure
    .input(confirmedByEmailInput)
    .mutation(({ ctx, input }) => leaveProgram(ctx, ctx.affiliate, input.email)),

  erase: ownProgramProcedure
    .input(confirmedByEmailInput)
    .mutation(({ ctx, input }) => eraseOwnData(ctx, ctx.affiliate, input.email)),
});
