import { z } from "zod";
import { id, idInput, MAX_AMOUNT, name } from "../fields.ts";
import { commissionRewardInput, commissionRewardSchema } from "./rules.ts";

/** Steps of a campaign. */
const MAX_TIERS = 10;
export const tierMeasures = ["customers", "revenue", "commissions"] as const;
export const tierPeriods = ["month", "last_90_days", "all_time"] as const;
export const leaderboards = ["none", "initials", "names"] as const;

export type TierMeasure = (typeof tierMeasures)[number];
export type TierPeriod = (typeof tierPeriods)[number];
export type Leaderboard = (typeof leaderboards)[number];

export const describeTiers = {
  tiers:
    "Tiers that affiliates reach by their customers, revenue or commissions. A worker measures each affiliate after the end of each day in the organization's time zone; a payment is decided with the affiliate's tier at the time of the payment. Null: no tiers.",
  leaderboard:
    "Whether affiliates see in the portal how they compare with others of the campaign, and whether they see `names` or `initials`. `none`: no leaderboard.",
};

export const describeTier = {
  measure:
    "`customers` with a first commission, `revenue`, or `commissions`. Amounts in other currencies than the organization's do not count.",
  period:
    "`month`: the calendar month; a tier that was reached in it counts through the first day of the next one. `last_90_days`: the 90 days before. `all_time`: everything.",
  steps: "In rising order of `from`, at least one. The last one that was reached counts.",
  id: "Identifies the tier in rules, and in the history of affiliates.",
  name: "As affiliates see it.",
  from: "The number to reach: customers, or major units of the organization's currency.",
  commission:
    "The reward for payments in this tier. It precedes the campaign's rules. Null: as in the tier before, and without tiers.",
  bonus:
    "An amount in the organization's currency that affiliates get once when they reach it, each month with the period `month`. A number that was reached before the bonus was offered gives none. Null: none.",
};

const stepSchema = z
  .object({
    id: id.meta({ description: describeTier.id }),
    name: z.string().meta({ description: describeTier.name, example: "Gold" }),
    from: z.number().meta({ description: describeTier.from, example: 20 }),
    commission: commissionRewardSchema.nullable().meta({ description: describeTier.commission }),
    bonus: z.number().nullable().meta({ description: describeTier.bonus, example: 100 }),
  })
  .meta({ id: "CampaignTierStep" });

export const tiersSchema = z
  .object({
    measure: z.enum(tierMeasures).meta({ description: describeTier.measure, example: "customers" }),
    period: z.enum(tierPeriods).meta({ description: describeTier.period, example: "month" }),
    steps: z.array(stepSchema).meta({ description: describeTier.steps }),
  })
  .meta({ id: "CampaignTiers" });

export type Tiers = z.infer<typeof tiersSchema>;

const stepInput = z
  .strictObject({
    id: idInput.optional().meta({ description: "The id of an existing tier; a tier without an id is new." }),
    name: name(50).meta({ description: describeTier.name, example: "Gold" }),
    from: z.number().gt(0).max(MAX_AMOUNT).meta({ description: describeTier.from, example: 20 }),
    commission: commissionRewardInput
      .nullable()
      .default(null)
      .meta({
        description: describeTier.commission,
        example: { type: "percentage", amount: 40, amounts: [] },
      }),
    bonus: z
      .number()
      .gt(0)
      .max(MAX_AMOUNT)
      .nullable()
      .default(null)
      .meta({ description: describeTier.bonus, example: 100 }),
  })
  .meta({ id: "CampaignTierStepInput" });

export const tiersInput = z
  .strictObject({
    measure: z.enum(tierMeasures).meta({ description: describeTier.measure, example: "customers" }),
    period: z.enum(tierPeriods).meta({ description: describeTier.period, example: "month" }),
    steps: z.array(stepInput).min(1).max(MAX_TIERS).meta({ description: describeTier.steps }),
  })
  .refine(({ steps }) => steps.every(({ from }, index) => from > (steps[index - 1]?.from ?? 0)), {
    path: ["steps"],
    error: "Each must be greater than the one before.",
  })
  .meta({ id: "CampaignTiersInput" });

export type TiersInput = z.output<typeof tiersInput>;

export const tiersExample = {
  measure: "customers" as const,
  period: "month" as const,
  steps: [{ name: "Gold", from: 20, commission: { type: "percentage" as const, amount: 40 }, bonus: 100 }],
};
