import type { InboundWebhook } from "@findersfee/contract/processors/processors";
import type { MessageSummaryRow } from "@findersfee/database/processors/messages";

export function viewInboundWebhook(row: MessageSummaryRow): InboundWebhook {
  return {
    processor: row.processor,
    id: row.id,
    type: row.type,
    account: row.account,
    state: row.state,
    reason: row.reason,
    attempts: row.failures,
    next_attempt_at: row.due_at?.toISOString() ?? null,
    came_by: row.source,
    occurred_at: row.occurred_at.toISOString(),
    received_at: row.received_at.toISOString(),
  };
}
