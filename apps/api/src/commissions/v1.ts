import {
  approveCommissionInput,
  commissionPageSchema,
  commissionSchema,
  createCommissionInput,
  getCommissionInput,
  listCommissionsInput,
  rejectCommissionInput,
  updateCommissionInput,
} from "@findersfee/contract/commissions/commissions";
import { checkCommissionCreation, createCommission } from "@findersfee/domain/commissions/create";
import { getCommission } from "@findersfee/domain/commissions/get";
import { listCommissions } from "@findersfee/domain/commissions/list";
import { approveCommission, rejectCommission } from "@findersfee/domain/commissions/review";
import { checkCommissionUpdate, updateCommission } from "@findersfee/domain/commissions/update";
import { allIssues, listAllIssues } from "../all-issues.ts";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Commissions"];

export const commissions = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/commissions",
        tags,
        summary: "List commissions",
        description:
          "Commissions with their affiliates, referrals and payouts, newest first. Reversals of paid commissions after a refund appear with negative amounts. An `affiliate_id` or `referral_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listCommissionsInput)
    .output(commissionPageSchema)
    .query(({ ctx, input }) => listCommissions(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/commissions/{id}",
        tags,
        summary: "Get a commission",
        description: "One commission with its affiliate, its referral, and the payout that pays it.",
      },
      errors: ["not_found"],
    })
    .input(getCommissionInput)
    .output(commissionSchema)
    .query(({ ctx, input }) => getCommission(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/commissions",
        tags,
        summary: "Create a commission",
        description:
          "For payments that no payment processor reports. Sends `commission.created`, and `referral.converted` with the referral's first commission. Requires an active or trialing subscription.",
      },
      errors: ["subscription_error", "not_found", "commission_exists", "idempotency_conflict"],
      all_issues: allIssues(createCommissionInput, { check: checkCommissionCreation }),
    })
    .input(createCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => createCommission(ctx.domain, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/commissions/{id}",
        tags,
        summary: "Update a commission",
        description:
          "Omitted fields keep their values; null clears a nullable field. Read-only fields are accepted with their current values. A commission in a payout can no longer be changed.",
      },
      errors: ["not_found", "commission_exists", "commission_locked"],
    })
    .use(listAllIssues(updateCommissionInput, { check: checkCommissionUpdate, get: getCommission }))
    .input(updateCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => updateCommission(ctx.domain, input)),

  approve: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/commissions/{id}/approve",
        tags,
        summary: "Approve a commission",
        description:
          "Ends the review of a commission: payout runs pay it once its holding period is over. A rejected commission can be approved, too, and gets the amount that its payment earns now. An approved one stays unchanged; one that needs no review returns `commission_locked`.",
      },
      errors: ["not_found", "commission_locked", "idempotency_conflict"],
    })
    .input(approveCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => approveCommission(ctx.domain, input)),

  reject: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/commissions/{id}/reject",
        tags,
        summary: "Reject a commission",
        description:
          "Voids a commission in review, and keeps it voided when its payment earns again. The affiliate does not see the reason. One that is rejected already stays unchanged; one that is not in review returns `commission_locked`.",
      },
      errors: ["not_found", "commission_locked", "idempotency_conflict"],
    })
    .input(rejectCommissionInput)
    .output(commissionSchema)
    .mutation(({ ctx, input }) => rejectCommission(ctx.domain, input)),
});
