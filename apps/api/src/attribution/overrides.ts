import {
  changeOverrideInput,
  creditPaymentInput,
  getOverrideInput,
  listOverridesInput,
  moveCustomerInput,
  overridePageSchema,
  overrideResultSchema,
  overrideSchema,
  stopCustomerInput,
} from "@findersfee/contract/attribution/overrides";
import { getOverride, listOverrides } from "@findersfee/domain/attribution/overrides/list";
import {
  creditPayment,
  moveCustomer,
  resumeCustomer,
  stopCustomer,
  undoOverride,
} from "@findersfee/domain/attribution/overrides/make";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Overrides"];

const errors = ["not_found", "override_refused", "override_changed", "idempotency_conflict"] as const;

export const overrides = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/overrides",
        tags,
        summary: "List overrides",
        description:
          "What people decided about customers in place of attribution, the newest first, undone ones included. A `referral_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listOverridesInput)
    .output(overridePageSchema)
    .query(({ ctx, input }) => listOverrides(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/overrides/{id}",
        tags,
        summary: "Get an override",
        description: "One decision of a person about a customer.",
      },
      errors: ["not_found"],
    })
    .input(getOverrideInput)
    .output(overrideSchema)
    .query(({ ctx, input }) => getOverride(ctx.domain, input.id)),

  move: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/overrides/move",
        tags,
        summary: "Move a customer to another affiliate",
        description:
          "The customer's payments from now on earn for the affiliate, by the terms of its campaign. Earlier ones stay with the former affiliate, except for commissions in no payout if `unpaid_commissions` is true. Limits and first payments count on.",
      },
      errors,
    })
    .input(moveCustomerInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => moveCustomer(ctx.domain, input)),

  credit: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/overrides/credit",
        tags,
        summary: "Credit an affiliate for a payment",
        description:
          "A payment that earned nothing earns a commission for the affiliate, by the terms of its campaign, also if a limit, a ban or an older click would refuse it. A customer without a referral becomes the affiliate's from this payment on.",
      },
      errors: [...errors, "commission_exists"],
    })
    .input(creditPaymentInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => creditPayment(ctx.domain, input)),

  stop: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/overrides/stop",
        tags,
        summary: "Stop a customer from earning",
        description:
          "The customer's payments from now on earn nothing (`customer_stopped`). Earlier commissions stay; void them if they should not be paid.",
      },
      errors,
    })
    .input(stopCustomerInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => stopCustomer(ctx.domain, input)),

  resume: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/overrides/{id}/resume",
        tags,
        summary: "Resume a stopped customer",
        description:
          "Ends a stop: payments from now on earn again. To have the payments in between earn as well, undo the stop instead.",
      },
      errors,
    })
    .input(changeOverrideInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => resumeCustomer(ctx.domain, input)),

  undo: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/overrides/{id}/undo",
        tags,
        summary: "Undo an override",
        description:
          "Everything is as if it had never been made. Commissions that were put into a payout since are reversed, and the next payouts net the difference; a dry run shows it.",
      },
      errors,
    })
    .input(changeOverrideInput)
    .output(overrideResultSchema)
    .mutation(({ ctx, input }) => undoOverride(ctx.domain, input)),
});
