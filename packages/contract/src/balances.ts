import { z } from "zod";
import { amount, currency, idInput } from "./fields.ts";

export const balanceSchema = z
  .object({
    currency,
    earned: amount.meta({ description: "All that commissions earned, also what was taken back since." }),
    lost: amount.meta({ description: "Of that, what refunds, disputes and corrections took back." }),
    held: amount.meta({ description: "Not in a payout, and may not be paid yet." }),
    due: amount.meta({ description: "Not in a payout, and may be paid; negative: is netted first." }),
    in_payout: amount.meta({ description: "In payouts that are pending or processing." }),
    paid: amount.meta({ description: "In payouts that are paid." }),
  })
  .meta({
    id: "Balance",
    description: "What an affiliate has in a currency: earned - lost = held + due + in_payout + paid.",
  });

export type Balance = z.infer<typeof balanceSchema>;

export const getBalancesInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "Whose." }),
});
