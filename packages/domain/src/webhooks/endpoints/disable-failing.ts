import { insertEndpointDisabledMails } from "@findersfee/database/mails/mails";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { cancelDeliveries } from "@findersfee/database/webhooks/deliveries";
import {
  type DisabledEndpoint,
  disableFailing,
  disableGone,
  disableUnreadable,
  type EndpointDisabling,
} from "@findersfee/database/webhooks/endpoint-disabling";
import type { Actor } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import { isKeyOf } from "../../secrets/key.ts";
import type { SecretsKey } from "../../secrets/secrets.ts";

/** An endpoint is disabled after every delivery to it has failed for this long (webhooks). */
const FAILING_DAYS = 5;

/** The author of changes that delivering makes, in the audit log. */
const DELIVER = "deliver";

/** The job that disables endpoints after days of failures only. */
export const DISABLE_FAILING = "disable_failing";

/**
 * Disables an endpoint that answered 410, and notifies its owners. Returns how many owners there are; null: it was
 * disabled before.
 */
export async function disableGoneEndpoint(
  database: Database,
  endpoint: DisabledEndpoint,
): Promise<number | null> {
  return await transaction(database, async (sql) => {
    const disabled = await disableGone(sql, endpoint);
    if (disabled === null) return null;
    const owners = await announceDisabled(sql, disabled, job(DELIVER));
    await cancelDeliveries(sql, endpoint.organization_id, endpoint.endpoint_id);
    return owners;
  });
}

/**
 * Disables an endpoint with a signing secret or custom headers that cannot be read, and notifies its owners. Workers
 * cancel its deliveries later as they find them, because there may be many and other endpoints would wait. False: it
 * was changed or disabled since this version was read.
 *
 * @throws Error when this process has another key than the database: then every secret looks damaged, and none is
 */
export async function disableUnreadableEndpoint(
  database: Database,
  secrets_key: SecretsKey,
  endpoint: DisabledEndpoint & { version: string },
): Promise<boolean> {
  return await transaction(database, async (sql) => {
    if (!(await isKeyOf(sql, secrets_key))) {
      throw new Error(
        "SECRETS_KEY is not the key of this database; restart this process with the right one. If it is the right one, `findersfee secrets repair` repairs the database's check of it.",
      );
    }
    const disabled = await disableUnreadable(sql, endpoint);
    if (disabled !== null) await announceDisabled(sql, disabled, job(DELIVER));
    return disabled !== null;
  });
}

/** Disables an endpoint with secrets that no key decrypts any more, and notifies its owners, unless it is disabled. */
export async function disableAbandonedEndpoint(
  sql: Transaction,
  endpoint: DisabledEndpoint,
  actor: Actor,
): Promise<void> {
  const disabled = await disableUnreadable(sql, { ...endpoint, version: null });
  if (disabled !== null) await announceDisabled(sql, disabled, actor);
}

/** Disables the endpoints that have failed for days, and notifies their owners; returns their number. */
export async function disableFailingEndpoints(database: Database): Promise<number> {
  return await transaction(database, async (sql) => {
    const disabled = await disableFailing(sql, FAILING_DAYS);
    for (const endpoint of disabled) {
      await announceDisabled(sql, endpoint, job(DISABLE_FAILING));
      await cancelDeliveries(sql, endpoint.organization_id, endpoint.endpoint_id);
    }
    return disabled.length;
  });
}

function job(name: string): Actor {
  return { kind: "job", name };
}

/** Writes an audit entry, and mails to the owners; returns how many owners there are. */
async function announceDisabled(
  sql: Transaction,
  endpoint: EndpointDisabling,
  actor: Actor,
): Promise<number> {
  await writeAuditEntry(
    sql,
    { organization: { id: endpoint.organization_id }, actor },
    {
      resource: "endpoint",
      id: endpoint.endpoint_id,
      action: "disabled",
      before: { enabled: true, disabled_at: null, disabled_reason: null },
      after: {
        enabled: false,
        disabled_at: endpoint.disabled_at.toISOString(),
        disabled_reason: endpoint.disabled_reason,
      },
    },
  );
  // In the transaction that disables it: the mails are as certain as the change.
  return await insertEndpointDisabledMails(sql, endpoint);
}
