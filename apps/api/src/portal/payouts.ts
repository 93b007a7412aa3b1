import {
  getStatementInput,
  listOwnPayoutsInput,
  listStatementLinesInput,
  ownPayoutPageSchema,
  statementLinesSchema,
  statementSchema,
} from "@findersfee/contract/portal/payouts";
import { getStatement, listOwnPayouts, listStatementLines } from "@findersfee/domain/portal/payouts";
import { activeProcedure, portalRouter } from "./trpc.ts";

/** The affiliate's payouts and their statements. */
export const payouts = portalRouter({
  list: activeProcedure
    .input(listOwnPayoutsInput)
    .output(ownPayoutPageSchema)
    .query(({ ctx, input }) => listOwnPayouts(ctx.database, ctx.affiliate, input)),

  get: activeProcedure
    .input(getStatementInput)
    .output(statementSchema)
    .query(({ ctx, input }) => getStatement(ctx.database, ctx.affiliate, input)),

  lines: activeProcedure
    .input(listStatementLinesInput)
    .output(statementLinesSchema)
    .query(({ ctx, input }) => listStatementLines(ctx.database, ctx.affiliate, input)),
});
