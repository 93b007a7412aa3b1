import {
  createReferralInput,
  getReferralInput,
  listReferralsInput,
  referralPageSchema,
  referralSchema,
  updateReferralInput,
} from "@findersfee/contract/referrals";
import { createReferral } from "@findersfee/domain/referrals/create";
import { getReferral } from "@findersfee/domain/referrals/get";
import { listReferrals } from "@findersfee/domain/referrals/list";
import { updateReferral } from "@findersfee/domain/referrals/update";
import { readProcedure, router, writeProcedure } from "../trpc.ts";

const tags = ["Referrals"];

export const referrals = router({
  list: readProcedure
    .meta({
      openapi: { method: "GET", path: "/referrals", tags, summary: "List referrals" },
      errors: ["not_found"],
    })
    .input(listReferralsInput)
    .output(referralPageSchema)
    .query(({ ctx, input }) => listReferrals(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: { method: "GET", path: "/referrals/{id}", tags, summary: "Get a referral" },
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
          "Tracks a referred customer from a backend, and sends `referral.created`. Needs an active or trialing subscription.",
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
        description: "Omitted fields stay as they are; null clears a field that may be null.",
      },
      errors: ["not_found", "referral_exists"],
    })
    .input(updateReferralInput)
    .output(referralSchema)
    .mutation(({ ctx, input }) => updateReferral(ctx.domain, input)),
});
