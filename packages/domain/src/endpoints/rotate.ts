import type { EndpointWithSecret } from "@findersfee/contract/endpoints";
import { rotateEndpointSecret } from "@findersfee/database/endpoints";
import { change } from "../change.ts";
import { endpointFields } from "../changes/fields.ts";
import { recordChange } from "../changes/record.ts";
import type { Context } from "../context.ts";
import { newSigningSecret, sealSecret } from "../webhooks/secrets.ts";
import { requireLockedEndpoint } from "./get.ts";
import type { EndpointPolicy } from "./policy.ts";
import { viewEndpointWithSecret } from "./view.ts";

/** For so long the old secret and the new one both sign (webhooks, on the wire). */
const OVERLAP_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Gives an endpoint a new secret. Errors: `not_found`. */
export async function rotateEndpoint(
  context: Context,
  policy: EndpointPolicy,
  id: string,
): Promise<EndpointWithSecret> {
  const organization_id = context.organization.id;
  return await change(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, organization_id, id);
    const owner = { organization_id, endpoint_id: id };
    const values = {
      secret_encrypted: sealSecret(policy.secrets_key, owner, newSigningSecret()),
      previous_expires_at: new Date(Date.now() + OVERLAP_MILLISECONDS),
    };
    await rotateEndpointSecret(sql, organization_id, { id, ...values });
    const after = {
      ...row,
      secret_encrypted: values.secret_encrypted,
      previous_secret_expires_at: values.previous_expires_at,
    };
    await recordChange(sql, context, {
      resource: "endpoint",
      id: row.id,
      action: "rotated",
      before: endpointFields(row),
      after: endpointFields(after),
    });
    return viewEndpointWithSecret(after, policy);
  });
}
