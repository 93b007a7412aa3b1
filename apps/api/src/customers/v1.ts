import {
  createReferralInput,
  getReferralInput,
  listReferralsInput,
  referralPageSchema,
  referralSchema,
  updateReferralInput,
} from "@findersfee/contract/customers/referrals";
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
});
