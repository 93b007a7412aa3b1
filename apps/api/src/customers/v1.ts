import {
  moveCustomerInput,
  overrideResultSchema,
  stopCustomerInput,
} from "@findersfee/contract/attribution/overrides";
import {
  createReferralInput,
  getReferralInput,
  listReferralsInput,
  referralPageSchema,
  referralSchema,
  updateReferralInput,
} from "@findersfee/contract/customers/referrals";
import { moveCustomer, stopCustomer } from "@findersfee/domain/attribution/overrides/make";
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { getReferral } from "@findersfee/domain/customers/referrals/get";
import { listReferrals } from "@findersfee/domain/customers/referrals/list";
import { checkReferralUpdate, updateReferral } from "@findersfee/domain/customers/referrals/update";
import { listAllIssues } from "../all-issues.ts";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Referrals"];

export const referrals = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/referrals",
        tags,
        summary: "List referrals",
        description:
          "Referred customers with their affiliates, newest first. Filters combine: the list contains referrals that match all of them. An `affiliate_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listReferralsInput)
    .output(referralPageSchema)
    .query(({ ctx, input }) => listReferrals(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/referrals/{id}",
        tags,
        summary: "Get a referral",
        description: "One referred customer with the affiliate who referred them.",
      },
      errors: ["not_found"],
    })
    .input(getReferralInput)
    .output(referralSchema)
    .query(({ ctx, input }) => getReferral(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/referrals",
        tags,
        summary: "Create a referral",
        description:
          "Tracks a referred customer from a backend, and sends `referral.created`. Requires an active or trialing subscription.",
      },
      errors: ["subscription_error", "not_found", "referral_exists", "idempotency_conflict"],
    })
    .input(createReferralInput)
    .output(referralSchema)
    .mutation(({ ctx, input }) => createReferral(ctx.domain, input)),

  update: writeProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/referrals/{id}",
        tags,
        summary: "Update a referral",
        description:
          "Omitted fields keep their values; null clears a nullable field. Read-only fields are accepted with their current values.",
      },
      errors: ["not_found", "referral_exists"],
    })
    .use(listAllIssues(updateReferralInput, { check: checkReferralUpdate, get: getReferral }))
    .input(updateReferralInput)
    .output(referralSchema)
    .mutation(({ ctx, input }) => updateReferral(ctx.domain, input)),

  move: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/referrals/{referral_id}/move",
        tags: ["Overrides"],
        summary: "Move a customer to another affiliate",
        description:
          "The customer's payments from now on earn for the affiliate, by the terms of its campaign. Earlier ones stay with the former affiliate, except for commissions in no payout if `unpaid_commissions` is true. Limits and first payments count on.",
      },
      errors: ["not_found", "override_refused", "override_changed", "idempotency_conflict"],
    })
    .input(moveCustomerInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => moveCustomer(ctx.domain, input)),

  stop: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/referrals/{referral_id}/stop",
        tags: ["Overrides"],
        summary: "Stop a customer from earning",
        description:
          "The customer's payments from now on earn nothing (`customer_stopped`). Earlier commissions stay; void them if they should not be paid.",
      },
      errors: ["not_found", "override_refused", "override_changed", "idempotency_conflict"],
    })
    .input(stopCustomerInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => stopCustomer(ctx.domain, input)),
});
