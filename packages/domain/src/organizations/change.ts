import type { DashboardOrganization, UpdateOrganization } from "@findersfee/contract/identity/members";
import { isReservedSlug } from "@findersfee/contract/portal/reserved-slugs";
import {
  lockOrganizationProfile,
  type OrganizationProfileRow,
  updateOrganizationProfile,
} from "@findersfee/database/organizations/organizations";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import { writeAuditEntry } from "../audit-log/write.ts";
import { noteOrganizationChange } from "../caching/organization-changes.ts";
import type { Context } from "../context.ts";
import { type DomainError, invalidField, notFound } from "../errors.ts";
import { requireNoAddress } from "../shown-name.ts";
import { inTransaction } from "../transaction.ts";
import { requireCurrency } from "./settings/currency.ts";

/**
 * Changes the organization's name, its name in addresses, its time zone, its currency or its address for answers.
 *
 * Addresses with the former slug lead to the new one.
 *
 * @throws DomainError `invalid_request` if another organization has the slug or gave it up in the last 90 days, if it is reserved, and
 * for another currency while campaigns have fixed amounts
 */
export async function changeOrganization(
  context: Context,
  { name, slug, time_zone, currency, support_email }: UpdateOrganization,
): Promise<DashboardOrganization> {
  const { id } = context.organization;
  const after = await inTransaction(context, async (sql) => {
    const before = await lockOrganizationProfile(sql, id);
    if (before === null) throw notFound("organization");
    if (name !== before.name) requireNoAddress("name", name);
    if (slug !== undefined && slug !== before.slug && isReservedSlug(slug)) {
      throw invalidField("slug", "This name is reserved for pages of the service. Choose another one.");
    }
    const changed: OrganizationProfileRow = {
      name: name ?? before.name,
      slug: slug ?? before.slug,
      time_zone: time_zone ?? before.time_zone,
      currency: currency ?? before.currency,
      support_email: support_email === undefined ? before.support_email : support_email,
    };
    const currency_is_locked = await requireCurrency(sql, id, {
      before: before.currency,
      after: changed.currency,
    });
    await updateOrganizationProfile(sql, id, changed);
    await writeAuditEntry(sql, context, {
      resource: "organization",
      id,
      action: "updated",
      before: { ...before },
      after: { ...changed },
    });
    return { ...changed, currency_is_locked };
  }).catch((error: unknown): never => {
    throw slugErrorOf(error) ?? error;
  });
  noteOrganizationChange(context.database, id);
  return { id, ...after };
}

/** The error for a slug that the database refused: by the unique index, or by the trigger `keep_released_names`; null: another error. */
function slugErrorOf(error: unknown): DomainError | null {
  switch (violatedUnique(error)) {
    case "organizations_slug":
      return invalidField("slug", "Another organization has this name in its address.");
    case "released_names":
      return invalidField(
        "slug",
        "Another organization had this name in its address a short time ago. It is free 90 days after that.",
      );
    default:
      return null;
  }
}
