import {
  findOrganization,
  lockOrganizationTerms,
  updateSubscriptionStatus,
} from "@findersfee/database/organizations/organizations";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { operatorOf, writeAuditEntry } from "../audit-log/write.ts";
import { notFound } from "../errors.ts";
import type { Organization } from "./list.ts";

export interface OrganizationChanges extends Pick<Organization, "id"> {
  subscription_status?: Organization["subscription_status"] | undefined;
}

/**
 * Changes an organization's subscription. Running processes see the change within a second.
 *
 * @throws DomainError `not_found`
 */
export async function updateOrganization(
  database: Database,
  { id, subscription_status }: OrganizationChanges,
): Promise<Organization> {
  return await transaction(database, async (sql) => {
    const before = await lockOrganizationTerms(sql, id);
    let organization = await findOrganization(sql, id);
    if (subscription_status !== undefined) {
      organization = await updateSubscriptionStatus(sql, { id, subscription_status });
    }
    if (organization === null || before === null) throw notFound("organization");
    await writeAuditEntry(sql, operatorOf(id), {
      resource: "organization",
      id,
      action: "updated",
      before: { ...before },
      after: { subscription_status: subscription_status ?? before.subscription_status },
    });
    return organization;
  });
}
