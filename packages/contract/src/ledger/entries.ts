import { z } from "zod";
import { amount, currency, id, idInput, must, timestamp } from "../fields.ts";
import { limitInput, pageOf } from "../pages.ts";

const ledgerKinds = [
  "earned",
  "reduced",
  "restored",
  "voided",
  "reversed",
  "adjusted",
  "withdrawn",
  "put_into_payout",
  "taken_out",
  "paid",
  "returned",
  "converted",
  "unconverted",
] as const;

export const ledgerEntrySchema = z
  .object({
    number: z.string().meta({ description: "Ascends with time.", example: "4711" }),
    kind: z.enum(ledgerKinds).meta({ description: "What happened.", example: "earned" }),
    affiliate_id: id,
    commission_id: id
      .nullable()
      .meta({ description: "The commission; null for an entry of a whole payout or of an adjustment." }),
    adjustment: z
      .object({ id, reason: z.string() })
      .nullable()
      .meta({ description: "The adjustment; null for other entries." }),
    payout_id: id
      .nullable()
      .meta({ description: "The payout; null for an entry of a single commission or adjustment." }),
    currency,
    unpaid: amount.meta({ description: "Change of the amount in no payout." }),
    in_payout: amount.meta({ description: "Change of the amount in open payouts." }),
    paid: amount.meta({ description: "Change of the paid amount." }),
    converted: amount.optional().meta({
      description:
        "The amount that a payout's conversion took out of the currency; negative: put into it. Absent if it is 0.",
    }),
    cause: z.string().meta({
      description: "The source of the entry: an actor, a job, or a processor's event.",
      example: "stripe evt_1QsX",
    }),
    cause_name: z.string().nullable().meta({
      description:
        "The name of the user, key or affiliate that caused it; null for other causes, and for users who were deleted.",
      example: "Morgan Reyes",
    }),
    created_at: timestamp,
  })
  .meta({ id: "LedgerEntry" });

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const listLedgerInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "Whose." }),
  limit: limitInput,
  cursor: z
    .string()
    .regex(/^[1-9][0-9]{0,17}$/, must("Must be a next_cursor from a list response."))
    .optional()
    .meta({ description: "The `next_cursor` of the previous page." }),
});

export type ListLedger = z.infer<typeof listLedgerInput>;

export const ledgerPageSchema = pageOf(ledgerEntrySchema);
