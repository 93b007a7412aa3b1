import {
  backtestIdInput,
  backtestPageSchema,
  backtestSchema,
  backtestSummarySchema,
  createBacktestInput,
  listBacktestsInput,
} from "@findersfee/contract/attribution/backtests";
import { getBacktest, listBacktests } from "@findersfee/domain/attribution/backtest/get";
import { startBacktest } from "@findersfee/domain/attribution/backtest/start";
import { readProcedure, router, writeProcedure } from "../trpc/trpc.ts";

const tags = ["Backtests"];

export const backtests = router({
  list: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/backtests",
        tags,
        summary: "List backtests",
        description: "The organization's last ten, newest first, without their results.",
      },
    })
    .input(listBacktestsInput)
    .output(backtestPageSchema)
    .query(({ ctx, input }) => listBacktests(ctx.domain, input)),

  get: readProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/backtests/{id}",
        tags,
        summary: "Get a backtest",
        description: "Its progress, and its result once it has finished. Results are stored for 30 days.",
      },
      errors: ["not_found"],
    })
    .input(backtestIdInput)
    .output(backtestSchema)
    .query(({ ctx, input }) => getBacktest(ctx.domain, input.id)),

  create: writeProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/backtests",
        tags,
        summary: "Start a backtest",
        description:
          "Decides past payments again by a draft of a campaign's settings, of affiliates' own rules, or of both, and changes nothing. The result has the cost before and after by month, the affiliates who lose and gain most, and payments that would be decided differently. One backtest of an organization runs at a time: this one cancels another that runs. Poll `GET /backtests/{id}` until `state` is not `running`.",
      },
      errors: ["not_found", "jobs_running", "idempotency_conflict"],
    })
    .input(createBacktestInput)
    .output(backtestSummarySchema)
    .mutation(({ ctx, input }) => startBacktest(ctx.domain, input)),
});
