import type { Endpoint } from "@findersfee/contract/webhooks/endpoints";
import { type Printable, printJson, printList, printOne } from "../print.ts";

/** `endpoint create` prints the id as `endpoint_id`, like the options of other commands. */
type Shown = Omit<Endpoint, "id"> & { id?: string; endpoint_id?: string; secret?: string | null };

/** Prints an endpoint as JSON, or one line per field. */
export function printEndpoint(endpoint: Shown, { json }: { json: boolean }): void {
  if (json) printJson(endpoint);
  else printOne(flatten(endpoint), { json });
}

/** Prints an organization's endpoints. */
export function printEndpoints(endpoints: Endpoint[], { json }: { json: boolean }): void {
  if (json) printJson(endpoints);
  else printList(endpoints.map(flatten), { json, none: "No endpoints." });
}

function flatten({ secrets, custom_headers, ...endpoint }: Shown): Printable {
  return {
    ...endpoint,
    custom_headers: custom_headers.map(({ name }) => name),
    secrets: secrets.map(({ id, expires_at }) =>
      expires_at === null ? `${id} (current)` : `${id} (until ${expires_at})`,
    ),
  };
}
