import { healthSchema, retriedMailsSchema, retryMailsInput } from "@findersfee/contract/health";
import { jobSchema } from "@findersfee/contract/jobs";
import { getHealth } from "@findersfee/domain/health/get";
import { retryMails } from "@findersfee/domain/health/retry-mails";
import { LEDGER_RULES } from "@findersfee/domain/jobs/kinds/ledger-check";
import { startJob } from "@findersfee/domain/jobs/start";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc.ts";

/** Whether the organization's data adds up, and what the service could not do for it. */
export const health = router({
  get: viewProcedure.output(healthSchema).query(({ ctx }) => getHealth(ctx.domain)),

  check_ledger: adminProcedure
    .input(z.strictObject({}))
    .output(jobSchema)
    .mutation(({ ctx }) => startJob(ctx.domain, { kind: "ledger_check", input: {}, total: LEDGER_RULES })),

  retry_mails: adminProcedure
    .input(retryMailsInput)
    .output(retriedMailsSchema)
    .mutation(({ ctx, input }) => retryMails(ctx.domain, input.ids)),
});
