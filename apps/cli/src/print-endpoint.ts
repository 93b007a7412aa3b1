import type { Endpoint } from "@findersfee/contract/endpoints";
import { type Printable, printJson, printList, printOne } from "./print.ts";

/** `endpoint create` names the id `endpoint_id`, as the options of other commands do. */
type Shown = Omit<Endpoint, "id"> & { id?: string; endpoint_id?: string; secret?: string | null };

/** Prints an endpoint as JSON, or with a line for each field. */
export function printEndpoint(endpoint: Shown, { json }: { json: boolean }): void {
  if (json) printJson(endpoint);
  else printOne(flatten(endpoint), { json });
}

/** Prints an organization's endpoints. */
export function printEndpoints(endpoints: Endpoint[], { json }: { json: boolean }): void {
  if (json) printJson(endpoints);
  else printList(endpoints.map(flatten), { json, none: "The organization has no endpoints." });
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
