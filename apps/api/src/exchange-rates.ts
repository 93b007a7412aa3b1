import {
  createExchangeRateInput,
  exchangeRatesSchema,
  importExchangeRatesInput,
  importedExchangeRatesSchema,
} from "@findersfee/contract/exchange-rates";
import { listExchangeRates } from "@findersfee/domain/exchange-rates/list";
import { createExchangeRate, importOwnExchangeRates } from "@findersfee/domain/exchange-rates/own";
import { adminProcedure, router, viewProcedure } from "./trpc/trpc.ts";

/** The exchange rates that an organization's amounts are converted at. */
export const exchange_rates = router({
  list: viewProcedure.output(exchangeRatesSchema).query(({ ctx }) => listExchangeRates(ctx.domain)),

  create: adminProcedure
    .input(createExchangeRateInput)
    .output(exchangeRatesSchema)
    .mutation(async ({ ctx, input }) => {
      await createExchangeRate(ctx.domain, input);
      return await listExchangeRates(ctx.domain);
    }),

  import: adminProcedure
    .input(importExchangeRatesInput)
    .output(importedExchangeRatesSchema)
    .mutation(({ ctx, input }) => importOwnExchangeRates(ctx.domain, input.file)),
});
