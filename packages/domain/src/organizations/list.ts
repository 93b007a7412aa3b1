import type { Database } from "@findersfee/database/connect";
import {
  type OrganizationRow,
  listOrganizations as selectOrganizations,
} from "@findersfee/database/organizations";

/** An organization as the operator sees it. */
export type Organization = OrganizationRow;

const PAGE = 500;

/** All organizations in the order of their creation, read page by page. */
export async function listOrganizations(database: Database): Promise<Organization[]> {
  const organizations: Organization[] = [];
  for (;;) {
    const after = organizations.at(-1)?.id ?? null;
    const page = await selectOrganizations(database, { after, limit: PAGE });
    organizations.push(...page);
    if (page.length < PAGE) return organizations;
  }
}
