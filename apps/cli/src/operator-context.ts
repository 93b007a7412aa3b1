import { findOrganization } from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";
import { findEndpointOwner } from "@findersfee/database/webhooks/endpoints";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { OPERATOR } from "@findersfee/domain/actor";
import type { Context } from "@findersfee/domain/context";
import { notFound } from "@findersfee/domain/errors";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";

/**
 * The context of an operation that the operator runs for an organization; it notifies the workers at once.
 */
export async function withOrganization<Result>(
  database: Database,
  organization_id: string,
  work: (context: Context) => Promise<Result>,
  secrets_key?: SecretsKey,
): Promise<Result> {
  const organization = await findOrganization(database, organization_id);
  if (organization === null) throw notFound("organization");
  let is_wanted = false;
  const requestNotification = () => {
    is_wanted = true;
  };
  const result = await work({
    database,
    organization,
    actor: OPERATOR,
    idempotency: null,
    secrets_key,
    notifyWorkers: requestNotification,
  });
  if (is_wanted) await notifyWorkers(database, "events", [organization_id]);
  return result;
}

/** The same for the organization that owns an endpoint: the operator passes only the endpoint's id. */
export async function withEndpointOwner<Result>(
  database: Database,
  endpoint_id: string,
  work: (context: Context) => Promise<Result>,
): Promise<Result> {
  const organization_id = await findEndpointOwner(database, endpoint_id);
  if (organization_id === null) throw notFound("endpoint");
  return await withOrganization(database, organization_id, work);
}
