import {
  createReplayInput,
  listReplaysInput,
  replayEstimateSchema,
  replayIdInput,
  replaySchema,
} from "@findersfee/contract/deliveries";
import { createReplay } from "@findersfee/domain/replays/create";
import { estimateReplay } from "@findersfee/domain/replays/estimate";
import { getReplay } from "@findersfee/domain/replays/get";
import { listReplays } from "@findersfee/domain/replays/list";
import { stopReplay } from "@findersfee/domain/replays/stop";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc.ts";

export const replays = router({
  create: adminProcedure
    .input(createReplayInput)
    .output(replaySchema)
    .mutation(({ ctx, input }) => createReplay(ctx.domain, input)),

  estimate: viewProcedure
    .input(createReplayInput)
    .output(replayEstimateSchema)
    .query(({ ctx, input }) => estimateReplay(ctx.domain, input)),

  get: viewProcedure
    .input(replayIdInput)
    .output(replaySchema)
    .query(({ ctx, input }) => getReplay(ctx.domain, input.id)),

  list: viewProcedure
    .input(listReplaysInput)
    .output(z.array(replaySchema))
    .query(({ ctx, input }) => listReplays(ctx.domain, input.endpoint_id)),

  stop: adminProcedure
    .input(replayIdInput)
    .output(replaySchema)
    .mutation(({ ctx, input }) => stopReplay(ctx.domain, input.id)),
});
