import { z } from "zod";
import { affiliateFields } from "../affiliates/affiliates.ts";
import { campaignSchema } from "../campaigns/campaigns.ts";
import { commissionFields } from "../commissions/commissions.ts";
import { referralFields } from "../customers/referrals.ts";
import { id, idInput, someOf, timestamp, timestampInput } from "../fields.ts";
import { limitInput, pageOf, pageQuery, paginationSchema } from "../pages.ts";
import { tierChangeSchema } from "../tiers.ts";

export const eventTypes = [
  "affiliate.created",
  "affiliate.approved",
  "affiliate.tier_changed",
  "referral.created",
  "referral.converted",
  "commission.created",
] as const;

export type EventType = (typeof eventTypes)[number];

/** Whether a stored event is of a type that this version knows: during an upgrade, the next version may record others. */
export function isEventType(type: string): type is EventType {
  return eventTypes.some((known) => known === type);
}

/** The event types, each with the change that triggers it. */
export const eventDescriptions: Record<EventType, string> = {
  "affiliate.created":
    "A new affiliate was created, in the dashboard, by the API or by signup in the portal.",
  "affiliate.approved": "An affiliate was approved.",
  "affiliate.tier_changed":
    "An affiliate got another tier of its campaign, or has none any more, as measured after the end of a day.",
  "referral.created":
    "A new referral was tracked, by the payment processor, dashboard, API or tracking script.",
  "referral.converted": "A referral received its first commission.",
  "commission.created": "A commission was generated, by the payment processor, dashboard or API.",
};

const reducedCampaignSchema = campaignSchema
  .pick({ id: true, name: true, commission_type: true, commission_amount: true })
  .meta({ id: "ReducedCampaign" });

export type ReducedCampaign = z.infer<typeof reducedCampaignSchema>;

export const reducedAffiliateSchema = z
  .object({
    id: affiliateFields.id,
    email: affiliateFields.email,
    first_name: affiliateFields.first_name,
    last_name: affiliateFields.last_name,
  })
  .meta({ id: "ReducedAffiliate" });

export type ReducedAffiliate = z.infer<typeof reducedAffiliateSchema>;

const affiliateEventData = z
  .object({
    ...affiliateFields,
    campaign: reducedCampaignSchema.meta({ description: "The campaign that the affiliate belongs to." }),
  })
  .meta({ id: "AffiliateEventData" });

const tierEventData = z
  .object({
    ...affiliateEventData.shape,
    tier: tierChangeSchema.meta({ description: "The tier that the affiliate has from now on." }),
    former_tier: tierChangeSchema
      .pick({ id: true, name: true })
      .meta({ id: "FormerTier" })
      .nullable()
      .meta({ description: "The tier that it had in this campaign until now; null: none." }),
  })
  .meta({ id: "AffiliateTierEventData" });

const referralEventData = z
  .object({
    ...referralFields,
    affiliate: reducedAffiliateSchema.meta({ description: "The affiliate who referred the customer." }),
  })
  .meta({ id: "ReferralEventData" });

const commissionEventData = z
  .object({
    ...commissionFields,
    affiliate: reducedAffiliateSchema.meta({ description: "The affiliate who earns it." }),
  })
  .meta({ id: "CommissionEventData" });

/** The schema of each event's `data`: the API's resource with reduced nested objects, and without an affiliate's note. */
export const eventDataSchemas = {
  "affiliate.created": affiliateEventData,
  "affiliate.approved": affiliateEventData,
  "affiliate.tier_changed": tierEventData,
  "referral.created": referralEventData,
  "referral.converted": referralEventData,
  "commission.created": commissionEventData,
} as const satisfies Record<EventType, z.ZodType>;

export type EventData<Type extends EventType> = z.infer<(typeof eventDataSchemas)[Type]>;

/** The body of a webhook delivery: `{type, data}`. */
export const eventBodySchemas = {
  "affiliate.created": bodyOf("affiliate.created", affiliateEventData).meta({ id: "AffiliateCreatedBody" }),
  "affiliate.approved": bodyOf("affiliate.approved", affiliateEventData).meta({
    id: "AffiliateApprovedBody",
  }),
  "affiliate.tier_changed": bodyOf("affiliate.tier_changed", tierEventData).meta({
    id: "AffiliateTierChangedBody",
  }),
  "referral.created": bodyOf("referral.created", referralEventData).meta({ id: "ReferralCreatedBody" }),
  "referral.converted": bodyOf("referral.converted", referralEventData).meta({ id: "ReferralConvertedBody" }),
  "commission.created": bodyOf("commission.created", commissionEventData).meta({
    id: "CommissionCreatedBody",
  }),
} as const satisfies Record<EventType, z.ZodType>;

function bodyOf<Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({
    type: z.literal(type).meta({ description: "The type of the event.", example: type }),
    data: data.meta({ description: "The resource, as of the event." }),
  });
}

/** An event in the feed, by type; `type` and `data` equal the webhook's body. */
export const feedEventSchemas = {
  "affiliate.created": feedEventOf(eventBodySchemas["affiliate.created"]).meta({
    id: "AffiliateCreatedEvent",
    description: eventDescriptions["affiliate.created"],
  }),
  "affiliate.approved": feedEventOf(eventBodySchemas["affiliate.approved"]).meta({
    id: "AffiliateApprovedEvent",
    description: eventDescriptions["affiliate.approved"],
  }),
  "affiliate.tier_changed": feedEventOf(eventBodySchemas["affiliate.tier_changed"]).meta({
    id: "AffiliateTierChangedEvent",
    description: eventDescriptions["affiliate.tier_changed"],
  }),
  "referral.created": feedEventOf(eventBodySchemas["referral.created"]).meta({
    id: "ReferralCreatedEvent",
    description: eventDescriptions["referral.created"],
  }),
  "referral.converted": feedEventOf(eventBodySchemas["referral.converted"]).meta({
    id: "ReferralConvertedEvent",
    description: eventDescriptions["referral.converted"],
  }),
  "commission.created": feedEventOf(eventBodySchemas["commission.created"]).meta({
    id: "CommissionCreatedEvent",
    description: eventDescriptions["commission.created"],
  }),
} as const satisfies Record<EventType, z.ZodType>;

function feedEventOf<Type extends z.ZodLiteral<EventType>, Data extends z.ZodType>({
  shape: { type, data },
}: z.ZodObject<{ type: Type; data: Data }>) {
  return z.object({
    id: id.meta({ description: "Identifies the event: the `webhook-id` of its deliveries." }),
    type,
    created_at: timestamp.meta({ description: "When the event occurred." }),
    data,
  });
}

/** An event in the feed: one of the types, discriminated by `type`. */
export const eventSchema = z
  .discriminatedUnion("type", [
    feedEventSchemas["affiliate.created"],
    feedEventSchemas["affiliate.approved"],
    feedEventSchemas["affiliate.tier_changed"],
    feedEventSchemas["referral.created"],
    feedEventSchemas["referral.converted"],
    feedEventSchemas["commission.created"],
  ])
  .meta({
    id: "Event",
    description: "An event. `type` names one of the event types and determines the shape of `data`.",
  });

const eventOrders = ["oldest_first", "newest_first"] as const;

export const getEventInput = z.strictObject({
  id: idInput.meta({ description: "The event's id: the `webhook-id` of its deliveries." }),
});

export const listEventsInput = z
  .strictObject({
    after: idInput.optional().meta({
      description:
        "Only events after this one: the id of the last event that you received, or the `next_cursor` of the previous page.",
    }),
    cursor: pageQuery.cursor.meta({
      description:
        "An alias of `after`, as in other lists: the `next_cursor` of the previous page, or empty for the first page.",
    }),
    order: z.enum(eventOrders).default("oldest_first").meta({
      description:
        "The order of the events. To start from now, fetch the latest event with `newest_first` and `limit=1`, and pass its id as `after`.",
      example: "oldest_first",
    }),
    created_after: timestampInput
      .optional()
      .meta({ description: "Only events created at or after this time." }),
    types: someOf(eventTypes)
      .optional()
      .meta({
        description: "Only events of these types, separated by commas in a query.",
        example: ["commission.created"],
      }),
    limit: limitInput,
  })
  .refine(namesOnePosition, {
    path: ["cursor"],
    error: "Differs from `after`: send one of the two.",
  });

/** A request may send both if they are equal. */
function namesOnePosition({ after, cursor }: { after?: string | undefined; cursor?: string | undefined }) {
  return after === undefined || cursor === undefined || after.toLowerCase() === cursor;
}

export type ListEvents = z.infer<typeof listEventsInput>;

export const eventPageSchema = pageOf(eventSchema).extend({
  pagination: paginationSchema.meta({
    description: "The position of this page, and the cursor of the next page. The total is not counted.",
    example: {
      page: null,
      limit: 10,
      total_count: null,
      total_pages: null,
      has_more: true,
      next_cursor: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    },
  }),
});
