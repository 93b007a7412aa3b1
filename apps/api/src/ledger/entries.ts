import { ledgerPageSchema, listLedgerInput } from "@findersfee/contract/ledger/entries";
import { listLedger } from "@findersfee/domain/ledger/list-entries";
import { router, viewProcedure } from "../trpc/trpc.ts";

export const ledger = router({
  list: viewProcedure
    .input(listLedgerInput)
    .output(ledgerPageSchema)
    .query(({ ctx, input }) => listLedger(ctx.domain, input)),
});
