import {
  getStatementInput,
  listOwnPayoutsInput,
  listStatementLinesInput,
  ownPayoutPageSchema,
  statementLinesSchema,
  statementSchema,
} from "@findersfee/contract/portal/payouts";
import { getStatement, listOwnPayouts, listStatementLines } from "@findersfee/domain/portal/payouts";
import { portalRouter, programProcedure } from "./trpc.ts";

/** The affiliate's payouts and their statements: it keeps them when the program is closed to it. */
export const payouts = portalRouter({
  list: programProcedure
    .input(listOwnPayoutsInput)
    .output(ownPayoutPageSchema)
    .query(({ ctx, input }) => listOwnPayouts(ctx.database, ctx.affiliate, input)),

  get: programProcedure
    .input(getStatementInput)
    .output(statementSchema)
    .query(({ ctx, input }) => getStatement(ctx.database, ctx.affiliate, input)),

  lines: programProcedure
    .input(listStatementLinesInput)
    .output(statementLinesSchema)
    .query(({ ctx, input }) => listStatementLines(ctx.database, ctx.affiliate, input)),
});
