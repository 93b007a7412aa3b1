import { jobIdInput, jobListSchema, jobSchema } from "@findersfee/contract/work";
import { cancelJob } from "@findersfee/domain/work/jobs/cancel";
import { getJob } from "@findersfee/domain/work/jobs/get";
import { listJobs } from "@findersfee/domain/work/jobs/list";
import { adminProcedure, router, viewProcedure } from "./trpc/trpc.ts";

export const jobs = router({
  list: viewProcedure.output(jobListSchema).query(({ ctx }) => listJobs(ctx.domain)),

  get: viewProcedure
    .input(jobIdInput)
    .output(jobSchema)
    .query(({ ctx, input }) => getJob(ctx.domain, input.id)),

  cancel: adminProcedure
    .input(jobIdInput)
    .output(jobSchema)
    .mutation(({ ctx, input }) => cancelJob(ctx.domain, input.id)),
});
