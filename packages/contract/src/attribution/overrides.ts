import { z } from "zod";
import { amount, currency, emailInput, id, idInput, name, timestamp } from "../fields.ts";
import { pageOf, pageQuery } from "../pages.ts";

/** The decisions that a person can make about a customer in place of attribution. */
export const overrideTypes = ["move", "credit", "stop"] as const;

export type OverrideType = (typeof overrideTypes)[number];

const described = {
  id: id.meta({ description: "Identifies the override." }),
  type: z.enum(overrideTypes).meta({
    description:
      "`move`: the customer has another affiliate. `credit`: payments earn for an affiliate. `stop`: the customer earns nothing.",
    example: "move",
  }),
  created_by: z.string().meta({
    description: "Who made it, as the audit log names actors.",
    example: "user 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  }),
  created_by_name: z
    .string()
    .nullable()
    .meta({ description: "The name of the user or key; null when it was deleted.", example: "Morgan Lee" }),
  created_at: timestamp.meta({ description: "When it was made." }),
};

/** The override that a decision follows. */
export const appliedOverrideSchema = z
  .object({
    id: described.id,
    type: described.type,
    created_by: described.created_by,
    created_at: described.created_at,
  })
  .meta({ id: "AppliedOverride" });

export type AppliedOverride = z.infer<typeof appliedOverrideSchema>;

/** A person's decision about a customer. */
export const overrideSchema = z
  .object({
    ...described,
    affiliate_id: id.nullable().meta({ description: "The affiliate of a move or credit; null for a stop." }),
    processor_payment_ids: z
      .array(z.string())
      .meta({ description: "The payments of a credit.", example: ["in_1Pj"] }),
    reason: z
      .string()
      .meta({ description: "Why it was made, for the organization.", example: "Agreed on the phone." }),
    ended_at: timestamp
      .nullable()
      .meta({ description: "When a stop ended; null: it is in force, or it is no stop." }),
    undone_at: timestamp.nullable().meta({ description: "When it was undone; null: it counts." }),
  })
  .meta({ id: "Override" });

export type Override = z.infer<typeof overrideSchema>;

/** A customer of years has hundreds of payments. */
export const MAX_CHANGES = 100;

const decidedSchema = z
  .object({
    outcome: z.string().meta({ description: "`commission`, or the reason for none.", example: "commission" }),
    commission_amount: amount.meta({ description: "Before any reversal, in major units; 0 for none." }),
    affiliate_id: id.nullable().meta({ description: "The affiliate; null for none." }),
  })
  .meta({ id: "OverrideDecision" });

const changedPaymentSchema = z
  .object({
    processor_payment_id: z
      .string()
      .meta({ description: "Payment ID at the payment processor.", example: "in_1Pj" }),
    paid_at: timestamp.meta({ description: "When the customer paid." }),
    currency,
    before: decidedSchema.meta({ description: "The decision so far." }),
    after: decidedSchema.meta({ description: "The decision with the override." }),
  })
  .meta({ id: "OverriddenPayment" });

const movedCommissionSchema = z
  .object({
    id: id.meta({ description: "Identifies the commission." }),
    commission_amount: amount,
    currency,
    before_affiliate_id: id.meta({ description: "The affiliate so far." }),
    after_affiliate_id: id.meta({ description: "The affiliate with the override." }),
  })
  .meta({ id: "MovedCommission" });

const changedBalanceSchema = z
  .object({
    affiliate_id: id.meta({ description: "The affiliate." }),
    currency,
    difference: amount.meta({
      description: "The amount that the affiliate gains or loses, in major units.",
      example: -30,
    }),
  })
  .meta({ id: "OverriddenBalance" });

/** The changes of an override. */
export const overrideResultSchema = z
  .object({
    override: overrideSchema.nullable().meta({ description: "Null in a dry run." }),
    version: z.string().meta({
      description: "Names these changes: the same `version` in the request makes these and no others.",
      example: "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE",
    }),
    payment_count: z
      .int()
      .meta({ description: "The number of payments with a changed decision.", example: 1 }),
    payments: z
      .array(changedPaymentSchema)
      .meta({ description: `These payments, the latest first; at most ${MAX_CHANGES}.` }),
    commission_count: z
      .int()
      .meta({ description: "The number of manual commissions that get another affiliate.", example: 1 }),
    commissions: z
      .array(movedCommissionSchema)
      .meta({ description: `These commissions, the latest first; at most ${MAX_CHANGES}.` }),
    reversal_count: z.int().meta({
      description: "The number of commissions in payouts that get a reversal, which the next payout nets.",
      example: 0,
    }),
    balances: z
      .array(changedBalanceSchema)
      .meta({ description: "The change of each affiliate's unpaid balance." }),
  })
  .meta({ id: "OverrideResult" });

export type OverrideResult = z.infer<typeof overrideResultSchema>;

const common = {
  reason: name(500).meta({
    description: "Why, for the organization's records. Affiliates do not see it.",
    example: "Agreed on the phone.",
  }),
  dry_run: z
    .boolean()
    .default(false)
    .meta({ description: "Returns the changes without making them.", example: false }),
  version: name(64).optional().meta({
    description:
      "Of a dry run: if anything else would change by now, nothing changes (409 `override_changed`).",
    example: "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE",
  }),
};

const referral_id = idInput.meta({ description: "The customer's referral." });
const affiliate_id = idInput.meta({ description: "The affiliate who gets the customer or the payments." });
const overrideId = idInput.meta({ description: "The override's id." });

export const moveCustomerInput = z
  .strictObject({
    referral_id,
    affiliate_id,
    unpaid_commissions: z.boolean().default(false).meta({
      description: "Whether commissions that are in no payout go to the affiliate, too.",
      example: true,
    }),
    ...common,
  })
  .meta({
    example: {
      referral_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91",
      unpaid_commissions: true,
      reason: "Agreed on the phone.",
      dry_run: true,
    },
  });

export type MoveCustomer = z.output<typeof moveCustomerInput>;

export const creditPaymentInput = z
  .strictObject({
    processor_payment_id: name(255).meta({
      description: "The payment, by any of its ids at the processor.",
      example: "in_1Pj",
    }),
    affiliate_id,
    past_payments: z.boolean().default(false).meta({
      description: "Whether the customer's earlier payments without a commission are credited, too.",
      example: false,
    }),
    email: emailInput.optional().meta({
      description: "The customer's email, if the processor reported none.",
      example: "customer@example.com",
    }),
    ...common,
  })
  .meta({
    example: {
      processor_payment_id: "in_1Pj",
      affiliate_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91",
      reason: "The customer named the affiliate to our support.",
      dry_run: true,
    },
  });

export type CreditPayment = z.output<typeof creditPaymentInput>;

export const stopCustomerInput = z.strictObject({ referral_id, ...common }).meta({
  example: { referral_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", reason: "Stolen cards.", dry_run: true },
});

export type StopCustomer = z.output<typeof stopCustomerInput>;

export const changeOverrideInput = z.strictObject({ id: overrideId, ...common }).meta({
  example: { id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", reason: "It was a mistake.", dry_run: true },
});

export type ChangeOverride = z.output<typeof changeOverrideInput>;

export const getOverrideInput = z.strictObject({ id: overrideId });

export const listOverridesInput = z.strictObject({
  ...pageQuery,
  referral_id: idInput.optional().meta({ description: "Only overrides of this referral's customer." }),
});

export type ListOverrides = z.output<typeof listOverridesInput>;

export const overridePageSchema = pageOf(overrideSchema);
