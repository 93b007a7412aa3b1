import { type SearchedPeople, searchIndex, searchNewest } from "@findersfee/database/search/texts";
import type { Context } from "../context.ts";

/** The newest people that are searched before the index is: they have enough of a frequent text. */
export const NEWEST = 2_000;
/** The newest people that are searched for a text that the index cannot find fast. */
export const WIDER = 20_000;
/** The index is read if at most one in so many of the newest people has the rarest three letters of a text. */
const RARE = 40;
/** Candidates, to be ranked. */
const MOST_CANDIDATES = 50;
/** Parts of a text that are counted: more take longer than they save. */
const MOST_TRIGRAMS = 12;

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
