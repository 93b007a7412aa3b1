import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The condition that `affiliate` has a tag. */
export function tagCondition(tag: string) {
  return (sql: Connection) => sql`and affiliate.tags <> '{}' and affiliate.tags @> ${[tag]}::text[]`;
}

/** Older ones are not read. */
const MOST_TAGGED = 5_000;

const LIST = statement<{ tag: string }, "organization_id" | "limit">(`
  select tag from (
    select tags from affiliates where organization_id = :organization_id::uuid and tags <> '{}'
    order by id desc limit ${MOST_TAGGED}
  ) as affiliate
  cross join lateral unnest(tags) as tag
  group by tag order by count(*) desc, tag limit :limit::int`);

/** Returns the tags of the newest affiliates that have some, the most frequent ones first. */
export async function listKnownTags(
  sql: Connection,
  organizationId: string,
  limit: number,
): Promise<string[]> {
  const rows = await LIST.run(sql, { organization_id: organizationId, limit });
  return rows.map(({ tag }) => tag);
}
