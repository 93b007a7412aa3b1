import { z } from "zod";
import { timestamp } from "../fields.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { overrideSchema } from "./overrides.ts";

const actorFields = {
  actor: z.string().meta({ description: "As the audit log names actors.", example: "operator" }),
  actor_name: z.string().nullable().meta({ description: "Null for other actors, and for deleted ones." }),
};

/** An override in the dashboard, with the name of its affiliate. */
export const namedOverrideSchema = overrideSchema
  .omit({ affiliate_id: true })
  .extend({
    affiliate: reducedAffiliateSchema.nullable().meta({ description: "The affiliate of a move or credit." }),
  })
  .meta({ id: "NamedOverride" });

export type NamedOverride = z.infer<typeof namedOverrideSchema>;

/** Who ended a stop or undid an override, when, and why. */
const overrideChangeSchema = z.object({
  change: z.enum(["resumed", "undone"]),
  at: timestamp,
  ...actorFields,
  reason: z.string().nullable().meta({ description: "Null when the audit log has none." }),
});

export type OverrideChange = z.infer<typeof overrideChangeSchema>;

/** An override with everything that happened to it, as its customer's page shows it. */
export const overrideStorySchema = namedOverrideSchema
  .extend({ changes: z.array(overrideChangeSchema).meta({ description: "The earliest first." }) })
  .meta({ id: "OverrideStory" });

export type OverrideStory = z.infer<typeof overrideStorySchema>;
