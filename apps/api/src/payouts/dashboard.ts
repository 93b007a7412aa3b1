import { getPayoutInput, movePayoutsInput, payoutSchema } from "@findersfee/contract/payouts/payouts";
import {
  exportPayoutRowsInput,
  listPayoutRowsInput,
  openPayoutsInput,
  openPayoutsSchema,
  payoutDetailSchema,
  payoutRowPageSchema,
} from "@findersfee/contract/payouts/rows";
import { matchingRowsSchema, rowCountSchema } from "@findersfee/contract/row-pages";
import { jobSchema } from "@findersfee/contract/work";
import { explainPayout } from "@findersfee/domain/payouts/explain";
import { listOpenPayouts } from "@findersfee/domain/payouts/list-open";
import { countPayouts, listPayoutRows, matchPayouts } from "@findersfee/domain/payouts/list-rows";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const payouts = router({
  list: viewProcedure
    .input(listPayoutRowsInput)
    .output(payoutRowPageSchema)
    .query(({ ctx, input }) => listPayoutRows(ctx.domain, input)),

  count: viewProcedure
    .input(exportPayoutRowsInput)
    .output(rowCountSchema)
    .query(({ ctx, input }) => countPayouts(ctx.domain, input)),

  matching: viewProcedure
    .input(exportPayoutRowsInput)
    .output(matchingRowsSchema)
    .query(({ ctx, input }) => matchPayouts(ctx.domain, input)),

  explain: viewProcedure
    .input(getPayoutInput)
    .output(payoutDetailSchema)
    .query(({ ctx, input }) => explainPayout(ctx.domain, input.id)),

  open: viewProcedure
    .input(openPayoutsInput)
    .output(openPayoutsSchema)
    .query(({ ctx, input }) => listOpenPayouts(ctx.domain, input.run_id)),

  move: adminProcedure
    .input(movePayoutsInput)
    .output(z.array(payoutSchema))
    .mutation(({ ctx, input }) => movePayouts(ctx.domain, input)),

  export: adminProcedure
    .input(exportPayoutRowsInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => startJob(ctx.domain, { kind: "payouts_export", input })),
});
