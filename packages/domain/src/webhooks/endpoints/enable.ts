import type { EnableEndpoint, Endpoint } from "@findersfee/contract/webhooks/endpoints";
import { type EndpointRow, setEndpointEnabled } from "@findersfee/database/webhooks/endpoints";
import { insertReplay } from "@findersfee/database/webhooks/replays";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedEndpoint } from "./get.ts";
import { hasReadableHeaders } from "./headers.ts";
import type { EndpointPolicy } from "./policy.ts";
import { endpointFields, hasReadableSecret, viewEndpoint } from "./view.ts";

/**
 * Enables an endpoint and resets its failures; `replay_missed` also delivers the events that it missed. An enabled one
 * stays as it is. Errors: `not_found`; `invalid_request` while its secret or headers cannot be read.
 */
export async function enableEndpoint(
  context: Context,
  input: EnableEndpoint,
  policy: EndpointPolicy,
): Promise<Endpoint> {
  const { id, replay_missed } = input;
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, organization_id, id);
    if (row.enabled) return viewEndpoint(row);
    if (row.disabled_reason === "secret") requireReadable(row, policy);
    const now = new Date();
    await setEndpointEnabled(sql, organization_id, { id, disabled: null });
    if (replay_missed) {
      await insertReplay(sql, organization_id, {
        id: newId(now),
        endpoint_id: id,
        kind: "missed",
        events_from: missedSince(row),
        // Transactions that were open when it was enabled may have events from shortly before.
        events_to: new Date(now.getTime() + OVERLAP_MILLISECONDS),
        created_at: now,
      });
      await notifyWorkers(sql, "replays", [organization_id]);
    }
    const after = {
      ...row,
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      failing_since: null,
    };
    await writeAuditEntry(sql, context, {
      resource: "endpoint",
      id: row.id,
      action: "enabled",
      before: endpointFields(row),
      after: endpointFields(after),
    });
    return viewEndpoint(after);
  });
}

function requireReadable(row: EndpointRow, policy: EndpointPolicy): void {
  if (!hasReadableSecret(row, policy)) {
    throw new DomainError("invalid_request", {
      message: "The endpoint's signing secret cannot be read. Rotate it, then enable the endpoint.",
    });
  }
  if (!hasReadableHeaders(row, policy)) {
    throw new DomainError("invalid_request", {
      message:
        "The endpoint's custom headers cannot be read. Set or remove all of them, then enable the endpoint.",
    });
  }
}

const OVERLAP_MILLISECONDS = 5_000;

function missedSince({ disabled_at, failing_since, created_at }: EndpointRow): Date {
  const moments = [disabled_at, failing_since].filter((moment) => moment !== null);
  const first = Math.min(...moments.map((moment) => moment.getTime()));
  return moments.length === 0 ? created_at : new Date(first - OVERLAP_MILLISECONDS);
}
