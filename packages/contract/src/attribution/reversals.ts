import { z } from "zod";
import { amount, currency, timestamp } from "../fields.ts";

/** How money of a payment was taken back. */
const takenBackKinds = ["refund", "dispute"] as const;

/** A refund or dispute of a payment. */
export const reversalSchema = z
  .object({
    kind: z.enum(takenBackKinds).meta({ description: "A refund or a dispute." }),
    subject: z.string().meta({ description: "Its id at the processor.", example: "re_1Pj" }),
    amount: amount.meta({ description: "In major units of its own currency." }),
    currency,
    at: timestamp.meta({ description: "When the money went." }),
    until: timestamp
      .nullable()
      .meta({ description: "When it came back: the refund failed, the dispute was won. Null: it is gone." }),
  })
  .meta({ id: "Reversal" });

export type Reversal = z.infer<typeof reversalSchema>;

/** The event that took money of a payment away. */
export const reversedBy = z
  .enum([...takenBackKinds, "refund_and_dispute"])
  .nullable()
  .meta({ description: "Why money of the payment is gone; null: none is.", example: "refund" });

export type ReversedBy = z.infer<typeof reversedBy>;

/** A change between a payment's earnings and their remainder. */
const earningChangeSchema = z
  .object({
    kind: z
      .enum([...takenBackKinds, "refund_and_dispute", "changed", "voided", "restored"])
      .meta({ description: "The kind of change; the last three are of people.", example: "refund" }),
    amount: amount.meta({
      description: "The amount that it adds to the commission; negative: the amount that it takes.",
    }),
    actor: z
      .string()
      .nullable()
      .meta({ description: "Who changed it, as the audit log writes it; null: the processor's reports." }),
    actor_name: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: "EarningChange" });

export type EarningChange = z.infer<typeof earningChangeSchema>;

/** The rest of a payment's commission. */
export const remainingSchema = z
  .object({
    changes: z
      .array(earningChangeSchema)
      .meta({ description: "The changes from the payment's earnings to their rest, in the order of time." }),
    amount: amount.meta({ description: "The rest, with reversals after a payout." }),
  })
  .meta({ id: "RemainingEarning" });

export type RemainingEarning = z.infer<typeof remainingSchema>;
