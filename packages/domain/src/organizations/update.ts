import type { Database } from "@findersfee/database/connect";
import { updateSubscriptionStatus } from "@findersfee/database/organizations";
import { notFound } from "../errors.ts";
import type { Organization } from "./list.ts";

/**
 * Changes an organization's subscription. Running processes see it within a second.
 *
 * @throws DomainError `not_found`
 */
export async function updateOrganization(
  database: Database,
  input: Pick<Organization, "id" | "subscription_status">,
): Promise<Organization> {
  const organization = await updateSubscriptionStatus(database, input);
  if (organization === null) throw notFound("organization");
  return organization;
}
