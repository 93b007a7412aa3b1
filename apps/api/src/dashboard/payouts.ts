import { movePayoutsInput, payoutSchema } from "@findersfee/contract/payouts";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { z } from "zod";
import { router, staffProcedure } from "../trpc.ts";

export const payouts = router({
  move: staffProcedure
    .input(movePayoutsInput)
    .output(z.array(payoutSchema))
    .mutation(({ ctx, input }) => movePayouts(ctx.domain, input)),
});
