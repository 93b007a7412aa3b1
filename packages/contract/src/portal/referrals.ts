import { z } from "zod";
import { subscriptionStatuses } from "../customers/referrals.ts";
import { amount, currency, id, timestamp } from "../fields.ts";
import { rowPageOf, rowPageQuery } from "../row-pages.ts";
import { shownCustomer } from "./earnings.ts";

/** A customer that the affiliate referred. */
const ownReferralSchema = z.object({
  id,
  customer: shownCustomer,
  subscription_status: z.enum(subscriptionStatuses),
  signup_date: timestamp,
  converted_at: timestamp.nullable().meta({ description: "The first commission." }),
  earned: z
    .array(z.object({ currency, amount }))
    .meta({ description: "Its commissions that are not void, less reversals, by currency." }),
  earns_until: timestamp.nullable().meta({
    description:
      "If the campaign's limit is in months: its end, from the first commission on. Null before that, and without such a limit.",
  }),
  payments_left: z.int().nullable().meta({
    description:
      "If the campaign's limit is in payments: the payments that still earn. Null without such a limit.",
  }),
});

export type OwnReferral = z.infer<typeof ownReferralSchema>;

export const ownReferralPageSchema = rowPageOf(ownReferralSchema);

export const listOwnReferralsInput = z.strictObject({ ...rowPageQuery });

export type ListOwnReferrals = z.output<typeof listOwnReferralsInput>;
