import { z } from "zod";
import { commissionRuleSchema } from "../campaigns/rules.ts";

const { conditions, reward } = commissionRuleSchema.shape;

/** A rule as affiliates see it: without its name, products, metadata and tags, which are for the organization alone. */
export const portalRuleSchema = z.object({
  conditions: conditions.omit({ products: true, metadata: true, tags: true }),
  of_some_products: z.boolean().meta({ description: "Whether it decides the lines of some products alone." }),
  has_more_conditions: z.boolean().meta({ description: "Whether further conditions must hold." }),
  reward,
});

export type PortalRule = z.infer<typeof portalRuleSchema>;

/** A rule as everybody sees it: without promo codes, too, because these can be for some customers alone. */
export const publicRuleSchema = portalRuleSchema.extend({
  conditions: portalRuleSchema.shape.conditions.omit({ promo_codes: true }),
});

export type PublicRule = z.infer<typeof publicRuleSchema>;
