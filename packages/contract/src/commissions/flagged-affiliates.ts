import { z } from "zod";
import { signalNames } from "../attribution/signals.ts";
import { amount, currency, id, timestamp } from "../fields.ts";
import { rowPageOf, rowPageQuery } from "../row-pages.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";

/** The commissions that one row names, so that they are decided on together. */
export const MAX_FLAGGED_COMMISSIONS = 1_000;

const flaggedAffiliateSchema = z
  .object({
    affiliate: reducedAffiliateSchema,
    commissions: z
      .int()
      .meta({ description: "Its commissions that wait because of signals of fraud.", example: 7 }),
    flagged: z.int().meta({
      description:
        "Commissions that are in no payout and have a payment that is only flagged. They wait for no review, and nobody has to decide on them.",
      example: 2,
    }),
    commission_ids: z.array(id).meta({
      description: `Those that wait, the newest first, at most ${MAX_FLAGGED_COMMISSIONS}.`,
    }),
    since: timestamp.meta({ description: "Since when the first of them waits, or is flagged." }),
    amounts: z.array(z.object({ currency, amount })).meta({
      description:
        "The amounts that the affiliate loses if you reject all that wait, by currency; empty if none wait.",
    }),
    signals: z
      .array(
        z.object({
          signal: z.enum(signalNames),
          commissions: z.int().meta({ description: "How many of all of them have it.", example: 5 }),
          evidence: z.string().nullable().meta({
            description: "The evidence of the newest one; null: its payment does not have it any more.",
            example: "Customer and affiliate both use acme.com.",
          }),
        }),
      )
      .meta({ description: "The most frequent first." }),
  })
  .meta({ id: "FlaggedAffiliate" });

export type FlaggedAffiliate = z.infer<typeof flaggedAffiliateSchema>;

export const flaggedAffiliatePageSchema = rowPageOf(flaggedAffiliateSchema);

export const listFlaggedAffiliatesInput = z.strictObject(rowPageQuery);

export type ListFlaggedAffiliates = z.output<typeof listFlaggedAffiliatesInput>;
