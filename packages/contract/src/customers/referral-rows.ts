import { z } from "zod";
import { overrideStorySchema } from "../attribution/override-rows.ts";
import { overrideTypes } from "../attribution/overrides.ts";
import { amount, currency, email, id, idInput, someOf, timestamp, timestampInput } from "../fields.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { conversionSchema } from "../tracking/conversions.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { subscriptionStatuses } from "./referrals.ts";

/** Summing up a referral's commissions stops here. */
export const MAX_SUMMED_COMMISSIONS = 1000;

/** A referral in the dashboard's list. */
const referralRowSchema = z
  .object({
    id,
    email,
    processor_customer_id: z.string().nullable(),
    subscription_status: z.enum(subscriptionStatuses),
    signup_date: timestamp,
    converted_at: timestamp.nullable(),
    is_stopped: z
      .boolean()
      .meta({ description: "Whether the customer's payments from now on earn nothing." }),
    affiliate: reducedAffiliateSchema,
    commissions: z.int().meta({ description: `At most ${MAX_SUMMED_COMMISSIONS}.` }),
    sums: z
      .array(z.object({ currency, revenue: amount, commission: amount }))
      .meta({ description: "The sums of the counted commissions, by currency; void ones are left out." }),
  })
  .meta({ id: "ReferralListRow" });

export type ReferralListRow = z.infer<typeof referralRowSchema>;

export const referralRowPageSchema = rowPageOf(referralRowSchema);

const filters = {
  text: searchText.optional().meta({
    description:
      "A part of the customer's email, or of the affiliate's name, email or code, in any case; or the beginning of an id.",
  }),
  affiliate_id: idInput.optional(),
  statuses: someOf(subscriptionStatuses).optional(),
  signed_up_from: timestampInput.optional(),
  signed_up_until: timestampInput.optional(),
};

export const listReferralRowsInput = z.strictObject({ ...rowPageQuery, ...filters });

/** The rows on all pages of the list. */
export const matchReferralsInput = z.strictObject(filters);

export type MatchReferrals = z.output<typeof matchReferralsInput>;

export type ListReferralRows = z.output<typeof listReferralRowsInput>;

export const referralIdInput = z.strictObject({ id: idInput });

const timelineEntrySchema = z.object({
  kind: z.string().meta({
    description: "`click`, `referral`, `converted`, `lead`, `override`, or the kind of the reported fact.",
    example: "payment",
  }),
  occurred_at: timestamp,
  received_at: timestamp
    .nullable()
    .meta({ description: "Null: not reported by a message, or no longer stored." }),
  processor: z.string().nullable(),
  message_id: z.string().nullable(),
  subject: z.string().nullable().meta({ example: "in_1" }),
  amount: z.object({ amount, currency }).nullable(),
  status: z.string().nullable().meta({ description: "The status of a subscription." }),
  click: z
    .object({ code: z.string(), landing_url: z.string().nullable(), referrer: z.string().nullable() })
    .nullable(),
  affiliate: reducedAffiliateSchema
    .nullable()
    .meta({ description: "The affiliate of a click, move or credit." }),
  override: z
    .object({
      type: z.enum(overrideTypes),
      change: z.enum(["made", "resumed", "undone"]),
      actor: z.string(),
      actor_name: z.string().nullable(),
      reason: z.string().nullable(),
    })
    .nullable()
    .meta({ description: "A decision, and the person who made it." }),
  decision: z
    .object({ id, outcome: z.string(), commission_id: id.nullable(), commission: amount, currency })
    .nullable()
    .meta({ description: "The decision about a payment." }),
  lead: conversionSchema
    .nullable()
    .meta({ description: "A sign-up, trial or conversion, with the amount that it earned." }),
  ledger: z
    .array(
      z.object({
        number: z.string(),
        kind: z.string(),
        commission_id: id.nullable(),
        unpaid: amount,
        currency,
      }),
    )
    .meta({ description: "The ledger entries that the message caused." }),
});

export type TimelineEntry = z.infer<typeof timelineEntrySchema>;

/** Everything that is known of a customer, by the time at which it occurred. */
export const referralTimelineSchema = z
  .object({
    referral: referralRowSchema.extend({
      created_at: timestamp,
      replaced_at: timestamp.nullable(),
      email_is_manual: z.boolean(),
      customer_id_is_manual: z.boolean(),
    }),
    entries: z.array(timelineEntrySchema),
    overrides: z
      .array(overrideStorySchema)
      .meta({ description: "People's decisions about the customer, the newest first." }),
    /** Whether older entries are left out. */
    is_cut: z.boolean(),
  })
  .meta({ id: "ReferralTimeline" });

export type ReferralTimeline = z.infer<typeof referralTimelineSchema>;
