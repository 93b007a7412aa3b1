import type { CurrentSecret, Endpoint } from "@findersfee/contract/webhooks/endpoints";
import type { Connection } from "@findersfee/database/postgres/connect";
import { type EndpointRow, findEndpoint, lockEndpoint } from "@findersfee/database/webhooks/endpoints";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { EndpointPolicy } from "./policy.ts";
import { viewCurrentSecret, viewEndpoint } from "./view.ts";

/** One endpoint. Errors: `not_found`. */
export async function getEndpoint({ database, organization }: Context, id: string): Promise<Endpoint> {
  return viewEndpoint(await requireEndpoint(database, organization.id, id));
}

/** The current signing secret of an endpoint. Errors: `not_found`. */
export async function getEndpointSecret(
  { database, organization }: Context,
  policy: EndpointPolicy,
  id: string,
): Promise<CurrentSecret> {
  return viewCurrentSecret(await requireEndpoint(database, organization.id, id), policy);
}

/** The endpoint, or `not_found`. */
export async function requireEndpoint(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<EndpointRow> {
  const row = await findEndpoint(sql, organizationId, id);
  if (row === null) throw notFound("endpoint");
  return row;
}

/** The endpoint, locked until the transaction ends, or `not_found`. */
export async function requireLockedEndpoint(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<EndpointRow> {
  const row = await lockEndpoint(sql, organizationId, id);
  if (row === null) throw notFound("endpoint");
  return row;
}
