import type { Endpoint } from "@findersfee/contract/webhooks/endpoints";
import type { Connection } from "@findersfee/database/postgres/connect";
import { setEndpointEnabled } from "@findersfee/database/webhooks/endpoints";
import { type Author, writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedEndpoint } from "./get.ts";
import { endpointFields, viewEndpoint } from "./view.ts";

/** Disables an endpoint, which then receives nothing. A disabled one stays as it is. Errors: `not_found`. */
export async function disableEndpoint(sender: Context, id: string): Promise<Endpoint> {
  const context = beyondQuotas(sender);
  return await inTransaction(context, async (sql) => await disableWithin(sql, context, id));
}

/** The same within a transaction of an operation. */
export async function disableWithin(sql: Connection, author: Author, id: string): Promise<Endpoint> {
  const organization_id = author.organization.id;
  const row = await requireLockedEndpoint(sql, organization_id, id);
  if (!row.enabled) return viewEndpoint(row);
  const disabled = { at: new Date(), reason: "operator" } as const;
  await setEndpointEnabled(sql, organization_id, { id, disabled });
  const after = {
    ...row,
    enabled: false,
    disabled_at: disabled.at,
    disabled_reason: disabled.reason,
  };
  await writeAuditEntry(sql, author, {
    resource: "endpoint",
    id: row.id,
    action: "disabled",
    before: endpointFields(row),
    after: endpointFields(after),
  });
  return viewEndpoint(after);
}
