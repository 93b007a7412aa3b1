import { z } from "zod";
import { tagsInput } from "../affiliates/tags.ts";
import { earningStepSchema, paymentOutcome } from "../attribution/payment-decisions.ts";
import {
  amount,
  amountInput,
  currency,
  currencyInput,
  idInput,
  name,
  text,
  timestamp,
  timestampInput,
} from "../fields.ts";
import { portalLanguages } from "../portal/join-paths.ts";
import { campaignSchema, createCampaignInput, updateCampaignInput } from "./campaigns.ts";
import { billingIntervals, countryInput, MAX_METADATA_VALUE } from "./rules.ts";
import { tiersInput } from "./tiers.ts";

const joinings = ["listed", "by_link", "closed"] as const;

export type Joining = (typeof joinings)[number];

const joining = z.enum(joinings).meta({
  description:
    "Who may join in the portal: `listed`, anyone, and the organization's page names the campaign; `by_link`, anyone who knows the campaign's address; `closed`, nobody.",
});

/** Counting a campaign's affiliates stops here: "1,000 or more". */
export const MAX_COUNTED_AFFILIATES = 1000;

/**
 * The most waiting affiliates of all campaigns together to count, so that the list reads a bounded number of
 * rows.
 */
export const MAX_COUNTED_WAITING = 10_000;

/** A campaign in the dashboard's list, with its figures. */
const campaignRowSchema = z
  .object({
    campaign: campaignSchema,
    affiliates: z.int().meta({ description: `At most ${MAX_COUNTED_AFFILIATES}.` }),
    waiting: z.int().meta({
      description: `Those who wait for approval, at most ${MAX_COUNTED_WAITING} of all campaigns.`,
    }),
    revenue: z
      .array(z.object({ currency, amount }))
      .meta({ description: "Of the last 30 days, one for each currency, in the order of their codes." }),
  })
  .meta({ id: "CampaignListRow" });

export type CampaignListRow = z.infer<typeof campaignRowSchema>;

/** The most campaigns that the dashboard lists. */
export const MAX_LISTED_CAMPAIGNS = 100;

export const campaignRowsSchema = z.object({
  campaigns: z.array(campaignRowSchema).meta({ description: "Newest first." }),
  has_more: z.boolean(),
});

export type CampaignRows = z.infer<typeof campaignRowsSchema>;

/** A campaign as an editor reads it. */
export const editedCampaignSchema = z
  .object({
    campaign: campaignSchema,
    joining,
    version: z.string().meta({
      description:
        "The version of all settings. An update that names it changes nothing if another person has changed a setting.",
    }),
    changed: z
      .object({ at: timestamp, by: z.string().meta({ description: "The actor, as in the audit log." }) })
      .nullable()
      .meta({ description: "The last change; null: none is stored." }),
    languages: z.array(z.enum(portalLanguages)).meta({
      description: "Those that the portal offers. The campaign's own texts are in the first one.",
    }),
    is_only_listed: z.boolean().meta({
      description:
        "Whether it is the only campaign that the organization lists: `/portal/<slug>/join` is its form.",
    }),
  })
  .meta({ id: "EditedCampaign" });

export type EditedCampaign = z.infer<typeof editedCampaignSchema>;

export const editCampaignInput = z.strictObject({
  version: name(64),
  change: updateCampaignInput.extend({ joining: joining.optional() }),
});

export type EditCampaign = z.output<typeof editCampaignInput>;

const paying = createCampaignInput.pick({
  commission_type: true,
  commission_amount: true,
  limit_type: true,
  limit_amount: true,
  custom_commission_type: true,
  custom_commissions: true,
  first_payment_commission: true,
  commission_cap: true,
  rules: true,
});

const MAX_PAYMENTS = 400;

/** The payments of one referral by a draft's rules. */
export const simulateCampaignInput = z.strictObject({
  draft: paying.extend({ tiers: tiersInput.nullable().optional() }),
  currency: currencyInput
    .optional()
    .meta({ description: "The currency of the payments. Default: the organization's." }),
  payments: z
    .array(
      z.strictObject({
        paid_at: timestampInput,
        revenue_amount: amountInput,
        product_id: name(255)
          .optional()
          .meta({ description: "Absent: of no product with a rate of its own." }),
        interval: z.enum(billingIntervals).optional(),
        country: countryInput.optional(),
        metadata: z.record(name(40), text(MAX_METADATA_VALUE)).optional(),
        promo_code: name(100).optional(),
        tier: idInput.optional().meta({ description: "The affiliate's; absent: none." }),
        tags: tagsInput.optional().meta({ description: "The affiliate's; absent: none." }),
      }),
    )
    .min(1)
    .max(MAX_PAYMENTS)
    .meta({ description: "In any order; the oldest is the referral's first one." }),
});

export type SimulateCampaign = z.output<typeof simulateCampaignInput>;

export const simulationSchema = z
  .object({
    currency,
    payments: z.array(
      z.object({
        paid_at: timestamp,
        revenue_amount: amount,
        outcome: paymentOutcome,
        commission_amount: amount,
        steps: z.array(earningStepSchema),
      }),
    ),
    revenue_amount: amount.meta({ description: "The revenue of all payments." }),
    commission_amount: amount.meta({ description: "The commissions of all payments." }),
  })
  .meta({ id: "CampaignSimulation" });

export type Simulation = z.infer<typeof simulationSchema>;
