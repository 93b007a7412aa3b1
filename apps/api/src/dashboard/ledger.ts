import { ledgerPageSchema, listLedgerInput } from "@findersfee/contract/ledger";
import { listLedger } from "@findersfee/domain/ledger/list";
import { router, staffProcedure } from "../trpc.ts";

export const ledger = router({
  list: staffProcedure
    .input(listLedgerInput)
    .output(ledgerPageSchema)
    .query(({ ctx, input }) => listLedger(ctx.domain, input)),
});
