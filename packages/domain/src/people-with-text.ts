import type { AffiliateText } from "@findersfee/database/affiliates/search";
import type { Connection } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { type SearchedPeople, searchIndex, searchNewest } from "@findersfee/database/search/texts";

/** The newest people that are searched before the index is: they have enough of a frequent text. */
export const NEWEST = 2_000;
/**
 * A search reads the index if at most one in this number of the newest people has the rarest three letters of
 * a text.
 */
export const RARE = 40;
/** Parts of a text that are counted: more take longer than they save. */
const MOST_TRIGRAMS = 12;

/**
 * Returns the ids of all affiliates or customers with a text anywhere in their texts. Null: there are more
 * than `most`, or too many may have it, and the index would take long; then the next rows of a list have it
 * soon.
 */
export async function findAllWithText(
  sql: Connection,
  organization_id: string,
  { people, text, most }: { people: SearchedPeople; text: string; most: number },
): Promise<string[] | null> {
  const lower = lowerCase(text);
  const few = (ids: string[]) => (ids.length > most ? null : ids);
  const newest = await searchNewest(sql, organization_id, {
    people,
    text: lower,
    trigrams: trigramsOf(lower),
    read: NEWEST,
    most: most + 1,
  });
  if (newest.read < NEWEST) return few(newest.ids);
  if (newest.having_rarest === null || newest.having_rarest * RARE > NEWEST) return null;
  return few(await searchIndex(sql, organization_id, { people, text: lower, most: most + 1 }));
}

/** Up to this many affiliates with a text are looked up before the rows of a list are. More take longer than checking rows. */
export const FEW_AFFILIATES = 1_000;

/** The affiliates with a text of a list's search field anywhere in their names, emails and codes. */
export async function findAffiliateText(
  sql: Connection,
  organization_id: string,
  text: string,
  most = FEW_AFFILIATES,
): Promise<AffiliateText> {
  const lower = lowerCase(text.trim());
  return {
    lower,
    affiliate_ids: await findAllWithText(sql, organization_id, { people: "affiliates", text: lower, most }),
  };
}

/** Each three letters and digits in sequence, which the index has. Those beyond ASCII depend on the database's locale. */
export function trigramsOf(text: string): string[] {
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= text.length; at++) {
    const part = text.slice(at, at + 3);
    if (/^[a-z0-9]{3}$/.test(part)) trigrams.add(part);
  }
  const all = [...trigrams];
  if (all.length <= MOST_TRIGRAMS) return all;
  const step = all.length / MOST_TRIGRAMS;
  return Array.from({ length: MOST_TRIGRAMS }, (_, number) => all[Math.floor(number * step)] ?? "");
}
