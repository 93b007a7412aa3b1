import type { EndpointWithSecret, RotateEndpoint } from "@findersfee/contract/webhooks/endpoints";
import { rotateEndpointSecret } from "@findersfee/database/webhooks/endpoint-secrets";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { newSigningSecret, sealSecret } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { requireEndpoint, requireLockedEndpoint } from "./get.ts";
import type { EndpointPolicy } from "./policy.ts";
import { endpointFields, hasReadableSecret, viewEndpointWithSecret } from "./view.ts";

/** Each valid secret adds 48 bytes to the header `webhook-signature`, and one HMAC to every attempt. */
const MAX_SECRETS = 10;

/**
 * Gives an endpoint a new secret. The current one remains valid for `overlap_seconds`, former ones until they expire.
 * Errors: `not_found`; `invalid_request` when too many secrets would be valid at once.
 */
export async function rotateEndpoint(
  context: Context,
  policy: EndpointPolicy,
  { id, overlap_seconds }: RotateEndpoint,
): Promise<EndpointWithSecret> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, organization_id, id);
    if (overlap_seconds > 0 && row.secrets.length >= MAX_SECRETS) {
      throw new DomainError("invalid_request", {
        message: `An endpoint has at most ${MAX_SECRETS} valid secrets. Expire one of them, or rotate with 0 seconds of overlap.`,
      });
    }
    const created_at = new Date();
    const owner = { organization_id, endpoint_id: id };
    await rotateEndpointSecret(sql, organization_id, {
      endpoint_id: id,
      secret: {
        id: newId(created_at),
        secret_encrypted: sealSecret(policy.secrets_key, owner, newSigningSecret()),
        created_at,
      },
      // An unreadable secret signs nothing.
      overlap_seconds: hasReadableSecret(row, policy) ? overlap_seconds : 0,
    });
    const after = await requireEndpoint(sql, organization_id, id);
    await writeAuditEntry(sql, context, {
      resource: "endpoint",
      id,
      action: "rotated",
      before: endpointFields(row),
      after: endpointFields(after),
    });
    return viewEndpointWithSecret(after, policy);
  });
}
