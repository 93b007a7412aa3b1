import type { DashboardOrganization, UpdateOrganization } from "@findersfee/contract/members";
import { violatedUnique } from "@findersfee/database/errors";
import {
  lockOrganizationProfile,
  type OrganizationProfileRow,
  updateOrganizationProfile,
} from "@findersfee/database/organizations";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { inTransaction } from "../transaction.ts";

/**
 * Changes the organization's name, its name in addresses, or its time zone.
 *
 * @throws DomainError `invalid_request` if another organization has the slug
 */
export async function changeOrganization(
  context: Context,
  { name, slug, time_zone }: UpdateOrganization,
): Promise<DashboardOrganization> {
  const { id, currency } = context.organization;
  const after = await inTransaction(context, async (sql) => {
    const before = await lockOrganizationProfile(sql, id);
    if (before === null) throw notFound("organization");
    const changed: OrganizationProfileRow = {
      name: name ?? before.name,
      slug: slug ?? before.slug,
      time_zone: time_zone ?? before.time_zone,
    };
    await updateOrganizationProfile(sql, id, changed);
    await writeAuditEntry(sql, context, {
      resource: "organization",
      id,
      action: "updated",
      before: { ...before },
      after: { ...changed },
    });
    return changed;
  }).catch((error: unknown): never => {
    if (violatedUnique(error) === "organizations_slug") {
      throw invalidField("slug", "Another organization has this name in its address.");
    }
    throw error;
  });
  return { id, currency, ...after };
}
