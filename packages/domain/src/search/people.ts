import { type SearchedPeople, searchIndex, searchNewest } from "@findersfee/database/search/texts";
import type { Context } from "../context.ts";
import { NEWEST, RARE, trigramsOf } from "../people-with-text.ts";

/** The newest people that are searched for a text that the index cannot find fast. */
export const WIDER = 20_000;
/** Candidates, to be ranked. */
const MOST_CANDIDATES = 50;

/**
 * Returns the ids of some affiliates or customers with a text in lower case anywhere in their texts. Of frequent texts, they are
 * among the newest people. Rare texts are in the index of three letters, which takes the longer the more people have the rarest three:
 * if too many do, only the newest `WIDER` people are searched.
 */
export async function findPeopleWithText(
  { database, organization }: Context,
  { people, text }: { people: SearchedPeople; text: string },
): Promise<string[]> {
  const most = MOST_CANDIDATES;
  const trigrams = trigramsOf(text);
  const newest = await searchNewest(database, organization.id, {
    people,
    text,
    trigrams,
    read: NEWEST,
    most,
  });
  if (newest.read < NEWEST || newest.ids.length === most) return newest.ids;
  const { having_rarest } = newest;
  if (having_rarest !== null && having_rarest * RARE <= NEWEST) {
    return await searchIndex(database, organization.id, { people, text, most });
  }
  const wider = await searchNewest(database, organization.id, {
    people,
    text,
    trigrams: [],
    read: WIDER,
    most,
  });
  return wider.ids;
}
