import {
  createReplayInput,
  listReplaysInput,
  replayEstimateSchema,
  replayIdInput,
  replaySchema,
} from "@findersfee/contract/webhooks/deliveries";
import { createReplay } from "@findersfee/domain/webhooks/replays/create";
import { estimateReplay } from "@findersfee/domain/webhooks/replays/estimate";
import { getReplay } from "@findersfee/domain/webhooks/replays/get";
import { listReplays } from "@findersfee/domain/webhooks/replays/list";
import { stopReplay } from "@findersfee/domain/webhooks/replays/stop";
import { z } from "zod";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

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
