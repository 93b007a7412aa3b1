import type {
  InboundWebhookDetail,
  MessageBody,
  ProcessorMessageId,
} from "@findersfee/contract/processors/processors";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findMessage, type ProcessorMessageRow } from "@findersfee/database/processors/messages";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { findMessageDecisions } from "./decisions.ts";
import { viewInboundWebhook } from "./view.ts";

/** A message without its body, with the decisions that it led to. Errors: `not_found`. */
export async function getProcessorMessage(
  { database, organization }: Context,
  key: ProcessorMessageId,
): Promise<InboundWebhookDetail> {
  const row = await requireMessage(database, organization.id, key);
  const decisions = await findMessageDecisions(database, organization.id, row);
  return { ...viewInboundWebhook(row), decisions };
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
