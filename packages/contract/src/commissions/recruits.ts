import { z } from "zod";
import { recruitingSchema } from "../campaigns/recruiting.ts";
import { amount, currency, id } from "../fields.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";

/** The recruit with the commission that another one is a percentage of. */
export const recruitOfCommission = z
  .object({
    commission_id: id.meta({ description: "The recruit's commission." }),
    affiliate: reducedAffiliateSchema,
    percent: recruitingSchema.shape.percent,
  })
  .nullable()
  .meta({ description: "Null: it is for a payment or a lead of its own." });

/** What recruiters lose if some commissions are rejected. */
export const recruiterLossesSchema = z
  .array(
    z.object({
      affiliate: reducedAffiliateSchema,
      currency,
      commission_amount: amount.meta({
        description: "The recruiter's share of the commissions, which is voided with them.",
      }),
    }),
  )
  .meta({ id: "RecruiterLosses" });

export type RecruiterLosses = z.infer<typeof recruiterLossesSchema>;
