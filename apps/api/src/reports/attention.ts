import { attentionSchema } from "@findersfee/contract/reports/attention";
import { listAttention } from "@findersfee/domain/reports/attention";
import { router, viewProcedure } from "../trpc/trpc.ts";

export const attention = router({
  list: viewProcedure.output(attentionSchema).query(({ ctx }) => listAttention(ctx.domain)),
});
