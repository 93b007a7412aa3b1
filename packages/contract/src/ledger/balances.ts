import { z } from "zod";
import { amount, currency, idInput } from "../fields.ts";

export const balanceSchema = z
  .object({
    currency,
    earned: amount.meta({
      description: "By commissions, less what refunds, disputes, corrections and voids took back.",
    }),
    lost: amount.meta({
      description: "What they took back; `earned` and `lost` together are all that was ever credited.",
    }),
    adjusted: amount.meta({
      description:
        "By adjustments: bonuses, corrections and clawbacks. Negative if more was taken than added.",
    }),
    held: amount.meta({ description: "Not in a payout, and still in the holding period." }),
    due: amount.meta({
      description: "Not in a payout, and payable. A negative amount is netted against later earnings.",
    }),
    in_payout: amount.meta({ description: "In payouts that are pending or processing." }),
    paid: amount.meta({ description: "In payouts that are paid." }),
  })
  .meta({
    id: "Balance",
    description: "An affiliate's balance in one currency: earned + adjusted = held + due + in_payout + paid.",
  });

export type Balance = z.infer<typeof balanceSchema>;

export const getBalancesInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "Whose." }),
});
