import type { Connection, Processor, ProcessorWithSecret } from "@findersfee/contract/processors/processors";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import type { ConnectionRow, ProcessorRow } from "@findersfee/database/processors/processors";
import type { SecretsKey } from "../../secrets/secrets.ts";
import { openSigningSecret } from "./secrets.ts";

/** A connection as the organization sees it. */
export function viewProcessor(row: ProcessorRow, now = new Date()): Processor {
  const { previous_secret_expires_at } = row;
  const overlaps = previous_secret_expires_at !== null && previous_secret_expires_at > now;
  return {
    name: row.name,
    path: `/processors/${row.name}/${row.organization_id}`,
    livemode: row.livemode,
    connected_accounts: row.connected_accounts,
    api_key_last_four: row.api_key_last_four,
    previous_secret_expires_at: overlaps ? previous_secret_expires_at.toISOString() : null,
    reconciled_at: row.reconciled_at?.toISOString() ?? null,
    events_checked_at: row.events_checked_at?.toISOString() ?? null,
    missing_events: row.missing_events,
    events_check_error: row.events_check_error,
    endpoint_state: row.endpoint_state,
    endpoint_id: row.endpoint_id,
    endpoint_url: row.endpoint_url,
    endpoint_error: row.endpoint_error,
    missing_rights: row.missing_rights,
    rights_checked_at: row.rights_checked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The same with how it fares. */
export function viewConnection(row: ConnectionRow): Connection {
  return {
    ...viewProcessor(row),
    last_message_at: row.last_received_at?.toISOString() ?? null,
    last_message_type: row.last_type,
    refused_at: row.refused_at?.toISOString() ?? null,
    refused_reason: row.refused_reason,
    reconcile_requested_at: row.reconcile_requested_at?.toISOString() ?? null,
    reconciled_events: row.reconciled_events,
    reconcile_error: row.reconcile_error,
  };
}

/** The same with its signing secret. */
export function viewProcessorWithSecret(
  row: ProcessorRow & { secret_encrypted: Buffer },
  secrets_key: SecretsKey,
): ProcessorWithSecret {
  return { ...viewProcessor(row), signing_secret: openSigningSecret(secrets_key, row, row.secret_encrypted) };
}

/** The fields in the audit log. */
export function processorFields(row: ProcessorRow): AuditedFields {
  const { livemode, connected_accounts, api_key_last_four, previous_secret_expires_at, endpoint_state } =
    viewProcessor(row);
  const fields = { livemode, connected_accounts, api_key_last_four, previous_secret_expires_at };
  return endpoint_state === null ? fields : { ...fields, endpoint_state };
}
