import type { InboundWebhookWithBody, ProcessorMessageId } from "@findersfee/contract/processors";
import type { Connection } from "@findersfee/database/connect";
import { findMessage, type ProcessorMessageRow } from "@findersfee/database/processor-messages";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { viewInboundWebhook } from "./view.ts";

/** A message with its body. Errors: `not_found`. */
export async function getProcessorMessage(
  { database, organization }: Context,
  key: ProcessorMessageId,
): Promise<InboundWebhookWithBody> {
  const row = await requireMessage(database, organization.id, key);
  return { ...viewInboundWebhook(row), body: row.body };
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
