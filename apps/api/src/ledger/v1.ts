import {
  adjustmentPageSchema,
  adjustmentSchema,
  createAdjustmentInput,
  getAdjustmentInput,
  listAdjustmentsInput,
  updateAdjustmentInput,
} from "@findersfee/contract/ledger/adjustments";
import { checkAdjustmentCreation, createAdjustment } from "@findersfee/domain/ledger/adjustments/create";
import { getAdjustment } from "@findersfee/domain/ledger/adjustments/get";
import { listAdjustments } from "@findersfee/domain/ledger/adjustments/list";
import { checkAdjustmentUpdate, updateAdjustment } from "@findersfee/domain/ledger/adjustments/update";
import { allIssues, listAllIssues } from "../all-issues.ts";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Adjustments"];

export const adjustments = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/adjustments",
        tags,
        summary: "List adjustments",
        description:
          "Adjustments of affiliates' balances, newest first. An `affiliate_id`, `commission_id` or `payout_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listAdjustmentsInput)
    .output(adjustmentPageSchema)
    .query(({ ctx, input }) => listAdjustments(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/adjustments/{id}",
        tags,
        summary: "Get an adjustment",
        description: "One adjustment with its reason and the payout that has it.",
      },
      errors: ["not_found"],
    })
    .input(getAdjustmentInput)
    .output(adjustmentSchema)
    .query(({ ctx, input }) => getAdjustment(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/adjustments",
        tags,
        summary: "Create an adjustment",
        description:
          "Changes an affiliate's balance by a signed amount without a customer: a bonus, a correction, or the clawback of a paid commission. The amount is due at once. If the balance is negative afterwards, later payouts deduct it. Sends no event.",
      },
      errors: ["not_found", "idempotency_conflict"],
      all_issues: allIssues(createAdjustmentInput, { check: checkAdjustmentCreation }),
    })
    .input(createAdjustmentInput)
    .output(adjustmentSchema)
    .mutation(({ ctx, input }) => createAdjustment(ctx.domain, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/adjustments/{id}",
        tags,
        summary: "Update an adjustment",
        description:
          "Withdraws an adjustment that is in no payout, or restores it. Read-only fields are accepted with their current values. Create an opposite adjustment for one that is in a payout.",
      },
      errors: ["not_found", "adjustment_locked"],
    })
    .use(listAllIssues(updateAdjustmentInput, { check: checkAdjustmentUpdate, get: getAdjustment }))
    .input(updateAdjustmentInput)
    .output(adjustmentSchema)
    .mutation(({ ctx, input }) => updateAdjustment(ctx.domain, input)),
});
