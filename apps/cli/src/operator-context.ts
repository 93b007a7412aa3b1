import type { Database } from "@findersfee/database/connect";
import { notifyDeliveries } from "@findersfee/database/delivery-shards";
import { findEndpointOwner } from "@findersfee/database/endpoints";
import { findOrganization } from "@findersfee/database/organizations";
import type { Context } from "@findersfee/domain/context";
import { notFound } from "@findersfee/domain/errors";

/**
 * What an operation gets when the operator runs it for an organization, which then is told at once that
 * there may be something to deliver.
 */
export async function withOrganization<Result>(
  database: Database,
  organization_id: string,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const organization = await findOrganization(database, organization_id);
  if (organization === null) throw notFound("organization");
  let is_wanted = false;
  const wake = () => {
    is_wanted = true;
  };
  const result = await work({ database, organization, actor: "operator", idempotency: null, wake });
  if (is_wanted) await notifyDeliveries(database, [organization_id]);
  return result;
}

/** The same for the organization whose endpoint it is: the operator knows it by its id alone. */
export async function withEndpointOwner<Result>(
  database: Database,
  endpoint_id: string,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const organization_id = await findEndpointOwner(database, endpoint_id);
  if (organization_id === null) throw notFound("endpoint");
  return await withOrganization(database, organization_id, work);
}
