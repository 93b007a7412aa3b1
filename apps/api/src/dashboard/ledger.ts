import { ledgerPageSchema, listLedgerInput } from "@findersfee/contract/ledger";
import { listLedger } from "@findersfee/domain/ledger/list";
import { router, viewProcedure } from "../trpc.ts";

export const ledger = router({
  list: viewProcedure
    .input(listLedgerInput)
    .output(ledgerPageSchema)
    .query(({ ctx, input }) => listLedger(ctx.domain, input)),
});
