import { z } from "zod";
import { tierMeasures, tierPeriods } from "../campaigns/tiers.ts";
import { amount, currency } from "../fields.ts";

/** The first places of a leaderboard. */
export const LEADERS = 10;

const stepSchema = z.object({
  id: z.string().meta({ description: "Conditions of rules name it." }),
  name: z.string(),
  from: z.number().meta({ description: "Customers, or major units of the currency." }),
  bonus: amount.nullable().meta({ description: "Null: none." }),
});

const leaderSchema = z.object({
  rank: z.int().meta({ description: "From 1 on; equal numbers have the same." }),
  name: z.string().meta({ description: "Or initials; empty: it has no name." }),
  customers: z.int(),
  is_own: z.boolean(),
});

/** An affiliate's tier, the way to the next one, and its place among others. */
export const portalTiersSchema = z.object({
  progress: z
    .object({
      measure: z.enum(tierMeasures),
      period: z.enum(tierPeriods),
      currency,
      number: z.number().meta({ description: "The affiliate's number in the period until now." }),
      tier: z.string().nullable().meta({ description: "The name of its tier now; null: none." }),
      steps: z.array(stepSchema).meta({ description: "In rising order." }),
    })
    .nullable()
    .meta({ description: "Null: the campaign has no tiers." }),
  leaderboard: z
    .object({
      period: z.enum(tierPeriods),
      leaders: z.array(leaderSchema).meta({
        description: `The first ${LEADERS}, and the affiliate itself, if it brought anything.`,
      }),
    })
    .nullable()
    .meta({ description: "Null: the campaign has none." }),
});

export type PortalTiers = z.infer<typeof portalTiersSchema>;
export type PortalTierProgress = NonNullable<PortalTiers["progress"]>;
export type PortalLeaderboard = NonNullable<PortalTiers["leaderboard"]>;
