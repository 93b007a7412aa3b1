import { conversionSchema, createConversionInput } from "@findersfee/contract/tracking/conversions";
import { reportConversion } from "@findersfee/domain/tracking/report-conversion";
import { router, writeProcedure } from "../trpc/trpc.ts";

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
