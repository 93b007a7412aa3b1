import { z } from "zod";
import { MAX_AMOUNT, must, wholeNumber } from "../fields.ts";

/** The kinds of leads that nobody reports by name. */
export const automaticLeads = ["signup", "trial"] as const;

const KIND = /^[a-z][a-z0-9_]{0,49}$/;

/** The kind of a lead: `signup`, `trial`, or the name of a conversion. */
export const leadKindInput = z
  .string()
  .regex(
    KIND,
    must("Must begin with a letter, and have at most 50 lowercase letters, digits and underscores."),
  )
  .meta({ example: "demo_booked" });

const describe = {
  kind: "`signup`: a new referral. `trial`: the referral's first trial, as the payment processor reports it. Any other name: a conversion that your backend reports by that name.",
  amount: "The commission, in major units of the organization's currency.",
  daily_limit:
    "The most leads of this kind that earn an affiliate a commission in a day (UTC); null: no limit.",
};

export const leadCommissionSchema = z
  .object({
    kind: z.string().meta({ description: describe.kind, example: "demo_booked" }),
    amount: z.number().meta({ description: describe.amount, example: 5 }),
    daily_limit: z.int().nullable().meta({ description: describe.daily_limit, example: 20 }),
  })
  .meta({ id: "LeadCommission" });

/** The fields of them that affiliates and visitors of a join page see. */
export const leadRates = z.array(leadCommissionSchema.pick({ kind: true, amount: true }));

export const leadCommissionInput = z
  .strictObject({
    kind: leadKindInput.meta({ description: describe.kind }),
    amount: z.number().gt(0).max(MAX_AMOUNT).meta({ description: describe.amount, example: 5 }),
    daily_limit: wholeNumber(1, 1_000_000)
      .nullable()
      .default(null)
      .meta({ description: describe.daily_limit, example: 20 }),
  })
  .meta({ id: "LeadCommissionInput" });

/** Entries of a campaign. */
export const MAX_LEAD_COMMISSIONS = 20;

/** The lead of a commission that is not for a payment. */
export const leadOfLine = z.string().nullable().meta({
  description: "`signup`, `trial`, or the name of a conversion; null: it is for a payment, or an adjustment.",
});
