import {
  changeOverrideInput,
  getOverrideInput,
  listOverridesInput,
  overridePageSchema,
  overrideResultSchema,
  overrideSchema,
} from "@findersfee/contract/attribution/overrides";
import { getOverride, listOverrides } from "@findersfee/domain/attribution/overrides/list";
import { resumeCustomer, undoOverride } from "@findersfee/domain/attribution/overrides/make";
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
          "People's decisions about customers in place of attribution, the newest first, including undone ones. A `referral_id` that does not exist returns `not_found`.",
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
