import { z } from "zod";
import { affiliateStates } from "../affiliates/rows.ts";
import { amount, currency, email } from "../fields.ts";

/** A program that is closed to the affiliate. */
export const closedSchema = z.object({
  state: z.enum(affiliateStates),
  organization: z.object({ name: z.string(), support_email: email.nullable() }),
  reason: z
    .string()
    .nullable()
    .meta({ description: "Why it was declined or banned, if the organization said so." }),
  owed: z
    .array(z.object({ currency, due: amount, held: amount, in_payout: amount }))
    .meta({ description: "The amounts still to be paid, by currency, without amounts of zero." }),
});

export type Closed = z.infer<typeof closedSchema>;
