import type { InboundWebhook, MessageBody, ProcessorMessageId } from "@findersfee/contract/processors";
import type { Connection } from "@findersfee/database/connect";
import { findMessage, type ProcessorMessageRow } from "@findersfee/database/processor-messages";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewInboundWebhook } from "./view.ts";

/** A message without its body. Errors: `not_found`. */
export async function getProcessorMessage(
  { database, organization }: Context,
  key: ProcessorMessageId,
): Promise<InboundWebhook> {
  return viewInboundWebhook(await requireMessage(database, organization.id, key));
}

/** The body of a message as received. Errors: `not_found`. */
export async function getMessageBody(
  { database, organization }: Context,
  key: ProcessorMessageId,
): Promise<MessageBody> {
  const { body } = await requireMessage(database, organization.id, key);
  return { body };
}

/** The message, or `not_found`. */
export async function requireMessage(
  sql: Connection,
  organizationId: string,
  key: ProcessorMessageId,
): Promise<ProcessorMessageRow> {
  const row = await findMessage(sql, organizationId, key);
  if (row === null) throw notFound("message");
  return row;
}
