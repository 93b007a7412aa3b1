import { type ApiKeyRow, listApiKeys as selectApiKeys } from "@findersfee/database/identity/api-keys";
import type { Database } from "@findersfee/database/postgres/connect";

/** An API key as the operator sees it. */
export type ApiKey = ApiKeyRow;

const PAGE = 500;

/** The keys of one organization, or of all (null), in the order of their creation, read page by page. */
export async function listApiKeys(database: Database, organization_id: string | null): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for (;;) {
    const after = keys.at(-1)?.id ?? null;
    const page = await selectApiKeys(database, { organization_id, after, limit: PAGE });
    keys.push(...page);
    if (page.length < PAGE) return keys;
  }
}
