import {
  countProcessorMessagesInput,
  inboundWebhookDetailSchema,
  inboundWebhookSchema,
  listProcessorMessagesInput,
  messageBodySchema,
  messageCountsSchema,
  processorMessageIdInput,
  processorMessagePageSchema,
  rerunDeadLetteredInput,
  rerunDeadLetteredSchema,
} from "@findersfee/contract/processors/processors";
import { countProcessorMessages } from "@findersfee/domain/processors/messages/counts";
import { getMessageBody, getProcessorMessage } from "@findersfee/domain/processors/messages/get";
import { listProcessorMessages } from "@findersfee/domain/processors/messages/list";
import {
  rerunDeadLetteredMessages,
  rerunProcessorMessage,
} from "@findersfee/domain/processors/messages/rerun";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

export const processor_messages = router({
  list: viewProcedure
    .input(listProcessorMessagesInput)
    .output(processorMessagePageSchema)
    .query(({ ctx, input }) => listProcessorMessages(ctx.domain, input)),

  counts: viewProcedure
    .input(countProcessorMessagesInput)
    .output(messageCountsSchema)
    .query(({ ctx, input }) => countProcessorMessages(ctx.domain, input)),

  get: viewProcedure
    .input(processorMessageIdInput)
    .output(inboundWebhookDetailSchema)
    .query(({ ctx, input }) => getProcessorMessage(ctx.domain, input)),

  /** Processors put secrets into some messages. */
  body: adminProcedure
    .input(processorMessageIdInput)
    .output(messageBodySchema)
    .query(({ ctx, input }) => getMessageBody(ctx.domain, input)),

  rerun: adminProcedure
    .input(processorMessageIdInput)
    .output(inboundWebhookSchema)
    .mutation(({ ctx, input }) => rerunProcessorMessage(ctx.domain, input)),

  rerunParked: adminProcedure
    .input(rerunDeadLetteredInput)
    .output(rerunDeadLetteredSchema)
    .mutation(({ ctx, input }) => rerunDeadLetteredMessages(ctx.domain, input)),
});
