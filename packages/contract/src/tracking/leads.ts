import { z } from "zod";
import { leadKindInput } from "../campaigns/lead-commissions.ts";
import { id, idInput } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";
import { conversionSchema, leadOutcome } from "./conversions.ts";

const { shape } = conversionSchema;

export const leadSchema = z
  .object({
    ...shape,
    id: id.meta({ description: "Identifies the lead. A conversion has the same id." }),
    kind: z.string().meta({
      description: "`signup`, `trial`, or the name of a conversion, such as `demo_booked`.",
      example: "demo_booked",
    }),
    reference: shape.reference.meta({
      description: "Your own id of a conversion, as you reported it; null: none, or no conversion.",
      example: "booking-4711",
    }),
    created_at: shape.created_at.meta({ description: "When it was recorded." }),
    affiliate_id: id.meta({ description: "The affiliate who has the lead." }),
    commission_id: id.nullable().meta({
      description:
        "The commission that it earned; null: none. It stays with a lead that earns nothing any more: it is voided then, or reversed.",
    }),
  })
  .meta({ id: "Lead" });

export type Lead = z.infer<typeof leadSchema>;

export const getLeadInput = z.strictObject({ id: idInput.meta({ description: "The lead's id." }) });

export const listLeadsInput = z.strictObject({
  ...pageQuery,
  affiliate_id: idInput.optional().meta({ description: "Only leads of this affiliate." }),
  referral_id: idInput.optional().meta({ description: "Only leads of this referral." }),
  kind: leadKindInput.optional().meta({
    description: "Only leads of this kind: `signup`, `trial`, or the name of a conversion.",
    example: "demo_booked",
  }),
  outcome: leadOutcome
    .optional()
    .meta({ description: "Only leads with this outcome.", example: "commission" }),
});

export type ListLeads = z.infer<typeof listLeadsInput>;

export const leadPageSchema = pageOf(leadSchema);
