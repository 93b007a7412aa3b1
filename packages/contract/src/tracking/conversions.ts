import { z } from "zod";
import { automaticLeads, leadKindInput } from "../campaigns/lead-commissions.ts";
import { emailInput, id, idInput, must, name, timestamp, timestampInput } from "../fields.ts";
import { type LeadOutcome, leadOutcomes } from "./lead-outcomes.ts";

export const leadOutcome = z.enum(Object.keys(leadOutcomes) as [LeadOutcome, ...LeadOutcome[]]);

/** The outcome in a stored lead. */
export function readLeadOutcome(text: string): LeadOutcome {
  return leadOutcome.parse(text);
}

const describe = {
  kind: "The conversion's name, such as `demo_booked`, as the campaign's `lead_commissions` have it.",
  reference:
    "Your own id of the event, to find it again. Not used to tell reports apart: a referral has at most one conversion of a name.",
  occurred_at: "When it happened.",
};

export const conversionSchema = z
  .object({
    id: id.meta({ description: "Identifies the conversion." }),
    kind: z.string().meta({ description: describe.kind, example: "demo_booked" }),
    reference: z.string().nullable().meta({ description: describe.reference, example: "booking-4711" }),
    occurred_at: timestamp.meta({ description: describe.occurred_at }),
    created_at: timestamp.meta({ description: "When it was first reported." }),
    referral_id: id.meta({ description: "The customer's referral." }),
    affiliate_id: id.meta({ description: "The affiliate who has the conversion." }),
    outcome: leadOutcome.meta({
      description: `\`commission\`, or why it earns nothing. ${Object.entries(leadOutcomes)
        .map(([outcome, text]) => `\`${outcome}\`: ${text}`)
        .join(" ")}`,
      example: "commission",
    }),
    commission_id: id.nullable().meta({ description: "The commission that it earned; null: none." }),
  })
  .meta({ id: "Conversion" });

export type Conversion = z.infer<typeof conversionSchema>;

export const createConversionInput = z
  .strictObject({
    kind: leadKindInput
      .refine(
        (kind) => !automaticLeads.some((automatic) => automatic === kind),
        must("Sign-ups and trials are recorded without a report."),
      )
      .meta({ description: describe.kind }),
    referral_id: idInput.optional().meta({ description: "The customer's referral." }),
    processor_customer_id: name(255)
      .optional()
      .meta({ description: "Customer ID at the payment processor.", example: "cus_QX1" }),
    email: emailInput
      .optional()
      .meta({ description: "The customer's email.", example: "customer@example.com" }),
    click_id: idInput.optional().meta({
      description:
        "The click that the customer came by. With `email`, a customer without a referral becomes one of the click's affiliate, as by a sign-up. Alone, it finds the referral of the page's sign-up after that click.",
    }),
    reference: name(255).optional().meta({ description: describe.reference, example: "booking-4711" }),
    occurred_at: timestampInput
      .optional()
      .meta({ description: `${describe.occurred_at} Default: the current time.` }),
  })
  .refine(
    ({ referral_id, processor_customer_id, email, click_id }) =>
      (referral_id ?? processor_customer_id ?? email ?? click_id) !== undefined,
    {
      path: ["referral_id"],
      message: "Name the customer by its referral, its id at the processor, its email or its click.",
      // One answer lists this with the issues of other fields.
      when: ({ value }) => typeof value === "object" && value !== null && !Array.isArray(value),
    },
  )
  .meta({
    example: {
      kind: "demo_booked",
      email: "lead@example.com",
      reference: "booking-4711",
    },
  });

export type CreateConversion = z.infer<typeof createConversionInput>;
