import type { Endpoint } from "@findersfee/contract/webhooks/endpoints";
import { listEndpoints as listRows } from "@findersfee/database/webhooks/endpoints";
import type { Context } from "../../context.ts";
import { viewEndpoint } from "./view.ts";

/** The organization's endpoints, newest first. */
export async function listEndpoints({ database, organization }: Context): Promise<Endpoint[]> {
  return (await listRows(database, organization.id)).map((row) => viewEndpoint(row));
}
