import { balanceTotalSchema } from "@findersfee/contract/attention";
import { balanceSchema, getBalancesInput } from "@findersfee/contract/balances";
import { listBalances } from "@findersfee/domain/balances/list";
import { sumBalances } from "@findersfee/domain/balances/sum";
import { z } from "zod";
import { router, viewProcedure } from "../trpc.ts";

export const balances = router({
  list: viewProcedure
    .input(getBalancesInput)
    .output(z.array(balanceSchema))
    .query(({ ctx, input }) => listBalances(ctx.domain, input.affiliate_id)),

  totals: viewProcedure.output(z.array(balanceTotalSchema)).query(({ ctx }) => sumBalances(ctx.domain)),
});
