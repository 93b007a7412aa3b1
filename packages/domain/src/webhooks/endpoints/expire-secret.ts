import type { Endpoint, ExpireEndpointSecret } from "@findersfee/contract/webhooks/endpoints";
import { deleteFormerSecret } from "@findersfee/database/webhooks/endpoint-secrets";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { invalidField, notFound } from "../../errors.ts";
import { beyondQuotas } from "../../quotas.ts";
import { inTransaction } from "../../transaction.ts";
import { requireEndpoint, requireLockedEndpoint } from "./get.ts";
import { endpointFields, viewEndpoint } from "./view.ts";

/**
 * Expires a former secret now, for example after a leak: workers sign nothing with it once they read the endpoint
 * again. Errors: `not_found`; `invalid_request` for the current secret, which only a rotation replaces.
 */
export async function expireEndpointSecret(
  sender: Context,
  { id, secret_id }: ExpireEndpointSecret,
): Promise<Endpoint> {
  const context = beyondQuotas(sender);
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, organization_id, id);
    const secret = row.secrets.find((valid) => valid.id === secret_id.toLowerCase());
    if (secret === undefined) throw notFound("valid secret of the endpoint");
    if (secret.expires_at === null) {
      throw invalidField(
        "secret_id",
        "Must be a former secret. To replace the current one at once, rotate with 0 seconds of overlap.",
      );
    }
    await deleteFormerSecret(sql, organization_id, { endpoint_id: id, id: secret.id });
    const after = await requireEndpoint(sql, organization_id, id);
    await writeAuditEntry(sql, context, {
      resource: "endpoint",
      id,
      action: "secret_expired",
      before: endpointFields(row),
      after: endpointFields(after),
    });
    return viewEndpoint(after);
  });
}
