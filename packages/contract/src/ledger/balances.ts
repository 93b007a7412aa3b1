import { z } from "zod";
import { amount, currency, idInput } from "../fields.ts";

export const balanceSchema = z
  .object({
    currency,
    earned: amount.meta({ description: "Total earned by commissions, including amounts reversed since." }),
    lost: amount.meta({
      description: "The part of `earned` that refunds, disputes and corrections reversed.",
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
    description: "An affiliate's balance in one currency: earned - lost = held + due + in_payout + paid.",
  });

export type Balance = z.infer<typeof balanceSchema>;

export const getBalancesInput = z.strictObject({
  affiliate_id: idInput.meta({ description: "Whose." }),
});
