import { z } from "zod";
import { amount, currency, id, idInput, must, timestamp } from "./fields.ts";
import { limitInput, pageOf } from "./pages.ts";

export const ledgerKinds = [
  "earned",
  "reduced",
  "restored",
  "voided",
  "reversed",
  "put_into_payout",
  "taken_out",
  "paid",
] as const;

export const ledgerEntrySchema = z
  .object({
    number: z.string().meta({ description: "Ascends with time.", example: "4711" }),
    kind: z.enum(ledgerKinds).meta({ description: "What happened.", example: "earned" }),
    affiliate_id: id,
    commission_id: id
      .nullable()
      .meta({ description: "Of which commission; null where it is of a payout with all that is in it." }),
    payout_id: id.nullable().meta({ description: "Of which payout; null where it is of a commission." }),
    currency,
    unpaid: amount.meta({ description: "By how much what is in no payout changed." }),
    in_payout: amount.meta({ description: "By how much what is in open payouts changed." }),
    paid: amount.meta({ description: "By how much what is paid changed." }),
    cause: z.string().meta({ description: "Who or what made it so.", example: "stripe evt_1QsX" }),
    created_at: timestamp,
  })
  .meta({ id: "LedgerEntry" });

export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

export const listLedgerInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "Whose." }),
  limit: limitInput,
  cursor: z
    .string()
    .regex(/^[1-9][0-9]{0,17}$/, must("Must be a next_cursor that a list answered with."))
    .optional()
    .meta({ description: "The `next_cursor` of the page before." }),
});

export type ListLedger = z.infer<typeof listLedgerInput>;

export const ledgerPageSchema = pageOf(ledgerEntrySchema);
