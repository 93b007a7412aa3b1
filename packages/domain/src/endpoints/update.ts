import type { Endpoint, UpdateEndpoint } from "@findersfee/contract/endpoints";
import { updateEndpoint as updateRow } from "@findersfee/database/endpoints";
import { change } from "../change.ts";
import { endpointFields } from "../changes/fields.ts";
import { recordChange } from "../changes/record.ts";
import type { Context } from "../context.ts";
import { requireLockedEndpoint } from "./get.ts";
import { type EndpointPolicy, requireEndpointUrl } from "./policy.ts";
import { viewEndpoint } from "./view.ts";

/** Changes what the input says and leaves the rest. Errors: `not_found`, `invalid_request` for the URL. */
export async function updateEndpoint(
  context: Context,
  policy: EndpointPolicy,
  input: UpdateEndpoint,
): Promise<Endpoint> {
  const { id, url, event_types, description } = input;
  if (url !== undefined) requireEndpointUrl(url, policy);
  return await change(context, async (sql) => {
    const row = await requireLockedEndpoint(sql, context.organization.id, id);
    const values = {
      url: url ?? row.url,
      event_types: event_types === undefined ? row.event_types : event_types,
      description: description ?? row.description,
    };
    await updateRow(sql, context.organization.id, { id, values });
    const after = { ...row, ...values };
    await recordChange(sql, context, {
      resource: "endpoint",
      id: row.id,
      action: "updated",
      before: endpointFields(row),
      after: endpointFields(after),
    });
    return viewEndpoint(after);
  });
}
