import { movePayoutsInput, payoutSchema } from "@findersfee/contract/payouts";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { z } from "zod";
import { adminProcedure, router } from "../trpc.ts";

export const payouts = router({
  move: adminProcedure
    .input(movePayoutsInput)
    .output(z.array(payoutSchema))
    .mutation(({ ctx, input }) => movePayouts(ctx.domain, input)),
});
