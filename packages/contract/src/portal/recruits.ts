import { z } from "zod";
import { recruitingSchema } from "../campaigns/recruiting.ts";
import { amount, currency, id, timestamp } from "../fields.ts";

export const MAX_RECRUITS = 100;

const recruitSchema = z.object({
  id,
  name: z.string().meta({ description: "Or initials; empty: it has no name." }),
  percent: recruitingSchema.shape.percent,
  created_at: timestamp,
  until: timestamp.meta({ description: "Commissions for payments before it count." }),
  earned: z
    .array(z.object({ currency, amount }))
    .meta({ description: "The affiliate's share of the recruit's commissions so far." }),
});

/** An affiliate's recruits, and its link for more. */
export const portalRecruitsSchema = z.object({
  terms: recruitingSchema
    .nullable()
    .meta({ description: "Null: the campaign pays nothing for new recruits." }),
  join_path: z.string().nullable().meta({
    description: "Its address below the service's, without a slash in front; null: nobody can join.",
    example: "portal/acme/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90/join?ref=jane",
  }),
  recruits: z.array(recruitSchema).meta({ description: `The newest first, at most ${MAX_RECRUITS}.` }),
});

export type PortalRecruits = z.infer<typeof portalRecruitsSchema>;
