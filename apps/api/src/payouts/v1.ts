import {
  getPayoutInput,
  listPayoutsInput,
  payoutPageSchema,
  payoutSchema,
} from "@findersfee/contract/payouts/payouts";
import { getPayout } from "@findersfee/domain/payouts/get";
import { listPayouts } from "@findersfee/domain/payouts/list";
import { readProcedure, router } from "../trpc/trpc.ts";

const tags = ["Payouts"];

export const payouts = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/payouts",
        tags,
        summary: "List payouts",
        description:
          "Payouts with their affiliates, newest first. A payout run in the dashboard creates them, one per affiliate and currency; the API is read-only. An `affiliate_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listPayoutsInput)
    .output(payoutPageSchema)
    .query(({ ctx, input }) => listPayouts(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/payouts/{id}",
        tags,
        summary: "Get a payout",
        description: "One payout with its status, its method and the payee.",
      },
      errors: ["not_found"],
    })
    .input(getPayoutInput)
    .output(payoutSchema)
    .query(({ ctx, input }) => getPayout(ctx.domain, input.id)),
});
