import { z } from "zod";
import { amount, currency } from "../fields.ts";

/** The days of the sums, today included. */
export const SUB_ID_DAYS = 30;

export const MAX_SUB_IDS = 20;

/** The results of an affiliate's sub-ids in the last days (UTC). */
export const subIdsSchema = z.object({
  sub_ids: z
    .array(
      z.object({
        sub_id: z.string(),
        clicks: z.int().meta({ description: "Each visitor counts once for a link and hour." }),
        signups: z.int(),
        conversions: z.int().meta({ description: "Customers with their first commission." }),
        earned: z.array(z.object({ currency, amount })),
      }),
    )
    .meta({ description: "Those with most conversions first, then with most sign-ups and clicks." }),
  has_more: z.boolean().meta({ description: `Whether there are more than ${MAX_SUB_IDS}.` }),
});

export type SubIds = z.infer<typeof subIdsSchema>;
