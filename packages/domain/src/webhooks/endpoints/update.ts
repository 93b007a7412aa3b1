import type { Endpoint, UpdateEndpoint } from "@findersfee/contract/webhooks/endpoints";
import {
  type EndpointRow,
  type EndpointSettings,
  updateEndpoint as updateRow,
} from "@findersfee/database/webhooks/endpoints";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../transaction.ts";
import { requireCampaigns } from "./campaigns.ts";
import { requireLockedEndpoint } from "./get.ts";
import { changeHeaders } from "./headers.ts";
import { type EndpointPolicy, requireEndpointUrl } from "./policy.ts";
import { endpointFields, viewEndpoint } from "./view.ts";

/**
 * Changes the fields of the input and leaves the others. Errors: `not_found`; `invalid_request` for the URL,
 * unknown campaigns and custom headers.
 */
export async function updateEndpoint(
  context: Context,
  policy: EndpointPolicy,
  input: UpdateEndpoint,
): Promise<Endpoint> {
  const { id } = input;
  if (input.url !== undefined) requireEndpointUrl(input.url, policy);
  return await inTransaction(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, context.organization.id, id);
    await requireCampaigns(sql, context.organization.id, input.campaign_ids);
    const settings = settingsOf(row, input, policy);
    await updateRow(sql, context.organization.id, { id, settings });
    const after = { ...row, ...settings };
    await writeAuditEntry(sql, context, {
      resource: "endpoint",
      id: row.id,
      action: "updated",
      before: endpointFields(row),
      after: endpointFields(after),
    });
    return viewEndpoint(after);
  });
}

/** Omitted fields stay unchanged; null clears. */
function settingsOf(
  row: EndpointRow,
  input: UpdateEndpoint,
  { secrets_key }: EndpointPolicy,
): EndpointSettings {
  const owner = { organization_id: row.organization_id, endpoint_id: row.id };
  const { url, event_types, description, requests_per_second, ordered, campaign_ids, custom_headers } = input;
  const headers =
    custom_headers === undefined
      ? row
      : changeHeaders(secrets_key, owner, { stored: row, changes: custom_headers, now: new Date() });
  return {
    url: url ?? row.url,
    event_types: event_types === undefined ? row.event_types : event_types,
    description: description ?? row.description,
    requests_per_second: requests_per_second === undefined ? row.requests_per_second : requests_per_second,
    ordered: ordered ?? row.ordered,
    campaign_ids: campaign_ids === undefined ? row.campaign_ids : campaign_ids,
    custom_headers: headers.custom_headers,
    custom_headers_encrypted: headers.custom_headers_encrypted,
  };
}
