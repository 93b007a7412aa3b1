import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** People of an organization who are found by any part of their names, addresses and codes. */
export type SearchedPeople = "affiliates" | "customers";

const TABLES = {
  affiliates: { table: "affiliate_texts", id: "affiliate_id", text: "texts", find: "affiliates_with_text" },
  customers: { table: "customer_texts", id: "referral_id", text: "email", find: "customers_with_text" },
} as const satisfies Record<SearchedPeople, object>;

export interface NewestRow {
  /** The newest ones with the text. */
  ids: string[];
  /** The number of people that were read. */
  read: number;
  /** How many of them have the rarest of the trigrams; null: the text has no trigrams. */
  having_rarest: number | null;
}

type NewestName = "organization_id" | "text" | "trigrams" | "read" | "most";

const NEWEST = { affiliates: newestStatement("affiliates"), customers: newestStatement("customers") };

function newestStatement(people: SearchedPeople) {
  const { table, id, text } = TABLES[people];
  return statement<NewestRow, NewestName>(`
    with newest as materialized (
      select ${id} as id, ${text} as text from ${table}
      where organization_id = :organization_id::uuid order by ${id} desc limit :read::int
    )
    select
      array(select id from newest where strpos(text, :text::text) > 0 limit :most::int) as ids,
      (select count(*)::int from newest) as read,
      (select min(matches)::int from unnest(:trigrams::text[]) as part
        cross join lateral (select count(*) as matches from newest where strpos(text, part) > 0) as counted
      ) as having_rarest`);
}

/** Searches the newest people for a text in lower case, and counts those with each of its trigrams. */
export async function searchNewest(
  sql: Connection,
  organization_id: string,
  {
    people,
    ...search
  }: { people: SearchedPeople; text: string; trigrams: string[]; read: number; most: number },
): Promise<NewestRow> {
  const [row] = await NEWEST[people].run(sql, { organization_id, ...search });
  if (row === undefined) throw new Error("a select without a table returned no row");
  return row;
}

const INDEXED = { affiliates: indexStatement("affiliates"), customers: indexStatement("customers") };

function indexStatement(people: SearchedPeople) {
  return statement<{ id: string }, "organization_id" | "pattern" | "most">(
    `select id from ${TABLES[people].find}(:organization_id::uuid, :pattern::text, :most::int) as id`,
  );
}

/**
 * Returns some people with a text in lower case, from the index of three letters. It reads as many rows of the index as people have
 * the rarest three letters of the text.
 */
export async function searchIndex(
  sql: Connection,
  organization_id: string,
  { people, text, most }: { people: SearchedPeople; text: string; most: number },
): Promise<string[]> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const rows = await INDEXED[people].run(sql, { organization_id, pattern, most });
  return rows.map(({ id }) => id);
}
