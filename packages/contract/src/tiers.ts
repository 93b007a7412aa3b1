import { z } from "zod";
import { describeTier, tierMeasures, tierPeriods } from "./campaigns/tiers.ts";
import { id, idInput, timestamp } from "./fields.ts";

/** Changes of an affiliate's tier in a response. */
export const MAX_TIER_CHANGES = 100;

const tierProgressFields = {
  measure: z.enum(tierMeasures).meta({ description: describeTier.measure, example: "customers" }),
  period: z.enum(tierPeriods).meta({ description: describeTier.period, example: "month" }),
  number: z.number().meta({
    description:
      "The affiliate's number in the period, as of an hour or two ago: customers, or major units of the organization's currency.",
    example: 12,
  }),
};

export const tierChangeSchema = z
  .object({
    id: id.nullable().meta({ description: "The tier; null: none." }),
    name: z.string().nullable().meta({ description: "As it was called then; null: none.", example: "Gold" }),
    since: timestamp.meta({ description: "When it changed." }),
    campaign_id: id.meta({ description: "The affiliate's campaign then." }),
    number: z.number().meta({
      description: "The measured number: customers, or major units of the organization's currency.",
      example: 20,
    }),
    measured_on: z.string().meta({
      format: "date",
      description: "The last day that was measured, in the organization's time zone.",
      example: "2026-11-20",
    }),
  })
  .meta({ id: "AffiliateTierChange" });

export const affiliateTiersSchema = z
  .object({
    affiliate_id: id.meta({ description: "The affiliate." }),
    progress: z
      .object(tierProgressFields)
      .meta({ id: "AffiliateTierProgress" })
      .nullable()
      .meta({ description: "Null: the campaign has no tiers." }),
    changes: z.array(tierChangeSchema).meta({
      description: `The newest ${MAX_TIER_CHANGES} changes, newest first. Each one counts until the next one.`,
    }),
  })
  .meta({ id: "AffiliateTiers" });

export type AffiliateTiers = z.infer<typeof affiliateTiersSchema>;

export const getAffiliateTiersInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "The affiliate." }),
});
