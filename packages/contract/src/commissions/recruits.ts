import { z } from "zod";
import { recruitingSchema } from "../campaigns/recruiting.ts";
import { id } from "../fields.ts";
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
