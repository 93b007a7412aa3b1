import { type ApiKeyRow, listApiKeys as selectApiKeys } from "@findersfee/database/api-keys";
import type { Database } from "@findersfee/database/connect";

/** An API key as the operator sees it. */
export type ApiKey = ApiKeyRow;

const PAGE = 500;

/** The keys of one organization, or of all (null), in the order of their creation, page by page. */
export async function* listApiKeys(
  database: Database,
  organization_id: string | null,
): AsyncGenerator<ApiKey, void> {
  let after: string | null = null;
  for (;;) {
    const page: ApiKey[] = await selectApiKeys(database, { organization_id, after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) return;
  }
}
