import { z } from "zod";
import { commissionRuleSchema } from "../campaigns/rules.ts";

const { conditions, reward } = commissionRuleSchema.shape;

/** A rule as affiliates see it: without its name, products and metadata, which are for the organization alone. */
export const portalRuleSchema = z.object({
  conditions: conditions.omit({ products: true, metadata: true }),
  of_some_products: z.boolean().meta({ description: "Whether it decides the lines of some products alone." }),
  has_more_conditions: z.boolean().meta({ description: "Whether further conditions must hold." }),
  reward,
});

export type PortalRule = z.infer<typeof portalRuleSchema>;
