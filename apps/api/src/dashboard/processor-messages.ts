import {
  inboundWebhookSchema,
  inboundWebhookWithBodySchema,
  listProcessorMessagesInput,
  processorMessageIdInput,
  processorMessagePageSchema,
  rerunDeadLetteredInput,
  rerunDeadLetteredSchema,
} from "@findersfee/contract/processors";
import { getProcessorMessage } from "@findersfee/domain/processors/messages/get";
import { listProcessorMessages } from "@findersfee/domain/processors/messages/list";
import {
  rerunDeadLetteredMessages,
  rerunProcessorMessage,
} from "@findersfee/domain/processors/messages/rerun";
import { router, staffProcedure } from "../trpc.ts";

export const processor_messages = router({
  list: staffProcedure
    .input(listProcessorMessagesInput)
    .output(processorMessagePageSchema)
    .query(({ ctx, input }) => listProcessorMessages(ctx.domain, input)),

  get: staffProcedure
    .input(processorMessageIdInput)
    .output(inboundWebhookWithBodySchema)
    .query(({ ctx, input }) => getProcessorMessage(ctx.domain, input)),

  rerun: staffProcedure
    .input(processorMessageIdInput)
    .output(inboundWebhookSchema)
    .mutation(({ ctx, input }) => rerunProcessorMessage(ctx.domain, input)),

  rerunParked: staffProcedure
    .input(rerunDeadLetteredInput)
    .output(rerunDeadLetteredSchema)
    .mutation(({ ctx, input }) => rerunDeadLetteredMessages(ctx.domain, input)),
});
