import { z } from "zod";
import { amount, currency, idInput } from "../fields.ts";

export const balanceSchema = z
  .object({
    currency,
    earned: amount.meta({
      description:
        "By commissions, less the amounts that refunds, disputes, corrections and voids took back.",
    }),
    lost: amount.meta({
      description: "The amount that they took back; `earned` plus `lost` is all that was ever credited.",
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
    converted: amount.optional().meta({
      description:
        "In payouts in another currency; negative: in payouts in this one, from others. Absent if it is 0.",
    }),
  })
  .meta({
    id: "Balance",
    description:
      "An affiliate's balance in one currency: earned + adjusted = held + due + in_payout + paid + converted.",
  });

export type Balance = z.infer<typeof balanceSchema>;

export const getBalancesInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "Whose." }),
});
