import type { CreateEndpoint, EndpointWithSecret } from "@findersfee/contract/webhooks/endpoints";
import { lockOrganization } from "@findersfee/database/organizations/organizations";
import { countEndpoints, findEndpoint, insertEndpoint } from "@findersfee/database/webhooks/endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, notFound } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { newSigningSecret, sealSecret } from "../../secrets/secrets.ts";
import { inTransaction } from "../../transaction.ts";
import { requireCampaigns } from "./campaigns.ts";
import { changeHeaders, NO_HEADERS } from "./headers.ts";
import { type EndpointPolicy, requireEndpointUrl } from "./policy.ts";
import { endpointFields, viewEndpointWithSecret } from "./view.ts";

/** Limits the cost of a change, which writes one delivery per endpoint in its transaction. */
const MAX_ENDPOINTS = 50;

/**
 * Creates a webhook endpoint, which is enabled. Errors: `invalid_request` for its URL, unknown campaigns, custom
 * headers, and too many endpoints; `not_found` for an unknown organization.
 */
export async function createEndpoint(
  context: Context,
  policy: EndpointPolicy,
  input: CreateEndpoint,
): Promise<EndpointWithSecret> {
  const organization_id = context.organization.id;
  requireEndpointUrl(input.url, policy);
  return await inTransaction(context, async (sql) => {
    // Locked, so that concurrent requests are counted.
    if (!(await lockOrganization(sql, organization_id))) throw notFound("organization");
    if ((await countEndpoints(sql, organization_id)) >= MAX_ENDPOINTS) {
      throw new DomainError("invalid_request", {
        message: `An organization has at most ${MAX_ENDPOINTS} endpoints; delete one, or let one receiver pass events on.`,
      });
    }
    await requireCampaigns(sql, organization_id, input.campaign_ids);
    const created_at = new Date();
    const id = newId(created_at);
    const owner = { organization_id, endpoint_id: id };
    const changes = input.custom_headers ?? {};
    await insertEndpoint(sql, organization_id, {
      id,
      url: input.url,
      event_types: input.event_types,
      description: input.description,
      requests_per_second: input.requests_per_second ?? null,
      ordered: input.ordered ?? false,
      campaign_ids: input.campaign_ids ?? null,
      ...changeHeaders(policy.secrets_key, owner, { stored: NO_HEADERS, changes, now: created_at }),
      enabled: true,
      created_at,
      secret: {
        id: newId(created_at),
        secret_encrypted: sealSecret(policy.secrets_key, owner, newSigningSecret()),
      },
    });
    const row = await findEndpoint(sql, organization_id, id);
    if (row === null) throw new Error(`the endpoint ${id} was not written`);
    await writeAuditEntry(sql, context, {
      resource: "endpoint",
      id: row.id,
      action: "created",
      before: null,
      after: endpointFields(row),
    });
    return viewEndpointWithSecret(row, policy);
  });
}
