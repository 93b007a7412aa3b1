import { balanceSchema, getBalancesInput } from "@findersfee/contract/ledger/balances";
import { balanceTotalSchema, convertedBalancesSchema } from "@findersfee/contract/reports/attention";
import { listBalances } from "@findersfee/domain/ledger/list-balances";
import { convertBalances, sumBalances } from "@findersfee/domain/ledger/sum-balances";
import { z } from "zod";
import { router, viewProcedure } from "../trpc/trpc.ts";

export const balances = router({
  list: viewProcedure
    .input(getBalancesInput)
    .output(z.array(balanceSchema))
    .query(({ ctx, input }) => listBalances(ctx.domain, input.affiliate_id)),

  totals: viewProcedure.output(z.array(balanceTotalSchema)).query(({ ctx }) => sumBalances(ctx.domain)),

  converted: viewProcedure.output(convertedBalancesSchema).query(({ ctx }) => convertBalances(ctx.domain)),
});
