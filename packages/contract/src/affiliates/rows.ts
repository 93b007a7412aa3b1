import { z } from "zod";
import { amount, currency, email, id, idInput, timestamp, timestampInput } from "../fields.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { tagInput } from "./tags.ts";

/** Waiting for approval, approved, declined, banned, or no affiliate any more by its own decision. */
export const affiliateStates = ["waiting", "active", "declined", "banned", "left"] as const;

/**
 * Whether the person agreed to be the affiliate: they did, they have not answered, or they said that the invitation is not theirs.
 */
export const agreements = ["agreed", "open", "disowned"] as const;

export type Agreement = (typeof agreements)[number];

/** The orders of the list. */
const affiliateSorts = ["joined", "earned", "unpaid", "clicks"] as const;

export type AffiliateState = (typeof affiliateStates)[number];

/** Counting an affiliate's referrals stops here: "1,000 or more". */
export const MAX_COUNTED_REFERRALS = 1000;

/** An affiliate in the dashboard's list, with its figures. */
const affiliateRowSchema = z
  .object({
    id,
    email,
    first_name: z.string(),
    last_name: z.string(),
    campaign: z.object({ id, name: z.string() }),
    state: z.enum(affiliateStates),
    agreement: z.enum(agreements).nullable().meta({ description: "Null for an erased affiliate." }),
    code: z
      .string()
      .nullable()
      .meta({ description: "The code of its link; its promo code if it has no link." }),
    clicks: z.int(),
    last_click_day: z.string().nullable().meta({
      description:
        "The day of its last click in the organization's time zone, without clicks of the last hour or two; null for none.",
      example: "2026-11-21",
    }),
    referrals: z.int().meta({ description: `At most ${MAX_COUNTED_REFERRALS}.` }),
    converted: z.int().meta({ description: "Those of the counted referrals with a commission." }),
    balances: z
      .array(
        z.object({
          currency,
          earned: amount.meta({
            description:
              "By commissions, less the amounts that refunds, disputes, corrections and voids took back.",
          }),
          due: amount,
          unpaid: amount,
        }),
      )
      .meta({ description: "One for each currency, in the order of their codes." }),
    tags: z.array(z.string()),
    created_at: timestamp,
  })
  .meta({ id: "AffiliateListRow" });

export type AffiliateListRow = z.infer<typeof affiliateRowSchema>;

export const affiliateRowPageSchema = rowPageOf(affiliateRowSchema);

/** The filters of the list. */
const filters = {
  text: searchText.optional().meta({
    description: "A part of an email, a name, a code or a tag, in any case; or the beginning of an id.",
  }),
  state: z.enum(affiliateStates).optional(),
  agreement: z.enum(agreements).optional(),
  campaign_id: idInput.optional(),
  tag: tagInput.optional(),
  tier_id: idInput.optional(),
  created_from: timestampInput.optional(),
  created_until: timestampInput.optional(),
  owed: z.boolean().optional().meta({
    description: "Only affiliates with an unpaid balance in the organization's currency, the largest first.",
  }),
};

const sort = z.enum(affiliateSorts).optional().meta({
  description:
    "By time, or by a figure, the largest first: then affiliates without it are left out. Amounts are those in the organization's currency; clicks are those up to an hour or two ago.",
});

export const listAffiliateRowsInput = z.strictObject({ ...rowPageQuery, ...filters, sort });

/** The rows on all pages of the list. */
export const matchAffiliatesInput = z.strictObject({ ...filters, sort });

export type MatchAffiliates = z.output<typeof matchAffiliatesInput>;

export type ListAffiliateRows = z.output<typeof listAffiliateRowsInput>;

/** The most affiliates of one request of the list's actions: a page. */
const MAX_AFFILIATES = 100;

const ids = z.array(idInput).min(1).max(MAX_AFFILIATES);

/** All affiliates of the list's filters in its order, or some of them. */
export const exportAffiliatesInput = z.strictObject({
  ...filters,
  sort,
  ids: ids.optional(),
});

export type ExportAffiliates = z.output<typeof exportAffiliatesInput>;
