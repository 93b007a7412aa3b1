import type { Database } from "@findersfee/database/connect";
import {
  type OrganizationRow,
  listOrganizations as selectOrganizations,
} from "@findersfee/database/organizations";

/** An organization as the operator sees it. */
export type Organization = OrganizationRow;

const PAGE = 500;

/** All organizations in the order of their creation, page by page. */
export async function* listOrganizations(database: Database): AsyncGenerator<Organization, void> {
  let after: string | null = null;
  for (;;) {
    const page: Organization[] = await selectOrganizations(database, { after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}
