import {
  healthSchema,
  localMailsSchema,
  retriedMailsSchema,
  retryMailsInput,
} from "@findersfee/contract/reports/health";
import { jobSchema } from "@findersfee/contract/work";
import { LEDGER_RULES } from "@findersfee/domain/ledger/check";
import { getHealth } from "@findersfee/domain/reports/health/get";
import { listLocalMails } from "@findersfee/domain/reports/health/local-mails";
import { retryMails } from "@findersfee/domain/reports/health/retry-mails";
import { startJob } from "@findersfee/domain/work/jobs/start";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** Whether the organization's data adds up, and the failures of the service. */
export const health = router({
  get: viewProcedure.output(healthSchema).query(async ({ ctx }) => {
    // Without hosts, which are the operator's.
    const replicas = ctx.read_route?.replicas.report().map(({ host: _, ...report }) => report);
    return { ...(await getHealth(ctx.domain)), read_replicas: replicas ?? [] };
  }),

  check_ledger: adminProcedure
    .input(z.strictObject({}))
    .output(jobSchema)
    .mutation(({ ctx }) => startJob(ctx.domain, { kind: "ledger_check", input: {}, total: LEDGER_RULES })),

  local_mails: adminProcedure
    .output(localMailsSchema)
    .query(({ ctx }) => listLocalMails(ctx.domain, ctx.mailbox)),

  retry_mails: adminProcedure
    .input(retryMailsInput)
    .output(retriedMailsSchema)
    .mutation(({ ctx, input }) => retryMails(ctx.domain, input.ids)),
});
