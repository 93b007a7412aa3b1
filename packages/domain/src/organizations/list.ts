import {
  type ListedOrganizationRow,
  type OrganizationRow,
  listOrganizations as selectOrganizations,
} from "@findersfee/database/organizations/organizations";
import type { Database } from "@findersfee/database/postgres/connect";

/** An organization as the operator sees it. */
export type Organization = OrganizationRow;

const PAGE = 500;

/** All organizations in the order of their creation, those with test data too, read page by page. */
export async function listOrganizations(database: Database): Promise<ListedOrganizationRow[]> {
  const organizations: ListedOrganizationRow[] = [];
  for (;;) {
    const after = organizations.at(-1)?.id ?? null;
    const page = await selectOrganizations(database, { after, limit: PAGE });
    organizations.push(...page);
    if (page.length < PAGE) return organizations;
  }
}
