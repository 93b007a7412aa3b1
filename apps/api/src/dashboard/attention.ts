import { attentionSchema } from "@findersfee/contract/attention";
import { listAttention } from "@findersfee/domain/attention/list";
import { router, viewProcedure } from "../trpc.ts";

export const attention = router({
  list: viewProcedure.output(attentionSchema).query(({ ctx }) => listAttention(ctx.domain)),
});
