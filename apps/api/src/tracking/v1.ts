import { clickDiscountSchema, getClickDiscountInput } from "@findersfee/contract/tracking/click-discounts";
import { conversionSchema, createConversionInput } from "@findersfee/contract/tracking/conversions";
import {
  getLeadInput,
  leadPageSchema,
  leadSchema,
  listLeadsInput,
} from "@findersfee/contract/tracking/leads";
import { getClickDiscount } from "@findersfee/domain/tracking/click-discount";
import { getLead } from "@findersfee/domain/tracking/get-lead";
import { listLeads } from "@findersfee/domain/tracking/list-leads";
import { reportConversion } from "@findersfee/domain/tracking/report-conversion";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

export const conversions = router({
  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/conversions",
        tags: ["Conversions"],
        summary: "Report a conversion",
        description:
          "Records an event of a referred customer that your campaigns pay for by name (`lead_commissions`), such as a booked demo, and sends `commission.created` if it earns. A referral has at most one conversion of a name: a repetition changes nothing and returns the first one, with its `outcome`. A customer without a referral returns `not_found`. Requires an active or trialing subscription.",
      },
      errors: ["subscription_error", "not_found", "idempotency_conflict"],
    })
    .input(createConversionInput)
    .output(conversionSchema)
    .mutation(({ ctx, input }) => reportConversion(ctx.domain, input)),
});

export const leads = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/leads",
        tags: ["Leads"],
        summary: "List leads",
        description:
          "Sign-ups, trials and conversions of referrals, the last recorded first, with the amount that each earned, or the reason why it earned nothing. A sign-up that the campaign does not pay for is not recorded. An `affiliate_id` or `referral_id` that does not exist returns `not_found`.",
      },
      errors: ["not_found"],
    })
    .input(listLeadsInput)
    .output(leadPageSchema)
    .query(({ ctx, input }) => listLeads(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/leads/{id}",
        tags: ["Leads"],
        summary: "Get a lead",
        description:
          "One sign-up, trial or conversion with its current outcome. A conversion has the id that `POST /conversions` returned.",
      },
      errors: ["not_found"],
    })
    .input(getLeadInput)
    .output(leadSchema)
    .query(({ ctx, input }) => getLead(ctx.domain, input.id)),
});

export const discounts = router({
  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/discounts",
        tags: ["Discounts"],
        summary: "Get the discount of a click",
        description:
          "Returns the discount that the visitor of a click gets by link (`link_discount` of the campaign), with the promotion code for the checkout. `reason` says why there is none: a click that does not count is `unknown_click`.",
      },
    })
    .input(getClickDiscountInput)
    .output(clickDiscountSchema)
    .query(({ ctx, input }) => getClickDiscount(ctx.domain, input)),
});
