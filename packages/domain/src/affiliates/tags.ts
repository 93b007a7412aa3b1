import type { ChangedAffiliates, KnownTags, TagAffiliates } from "@findersfee/contract/affiliates/review";
import { MAX_TAGS } from "@findersfee/contract/affiliates/tags";
import { lockAffiliate } from "@findersfee/database/affiliates/affiliates";
import { listKnownTags } from "@findersfee/database/affiliates/tags";
import type { Context } from "../context.ts";
import { invalidField, notFound } from "../errors.ts";
import { inTransaction } from "../transaction.ts";
import { updateAffiliateWithin } from "./update.ts";

/** Suggestions beyond these are no help. */
const MOST_KNOWN = 200;

/**
 * Adds tags to affiliates and removes others, of all or none of the affiliates. Errors: `not_found`; `invalid_request` if one would
 * have too many, or was erased.
 */
export async function tagAffiliates(
  context: Context,
  { ids, add, remove }: TagAffiliates,
): Promise<ChangedAffiliates> {
  const { organization } = context;
  // In one order, so that two such calls never wait for each other.
  const ordered = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
  return await inTransaction(context, async (sql) => {
    let changed = 0;
    for (const id of ordered) {
      const affiliate = await lockAffiliate(sql, organization.id, id);
      if (affiliate === null) throw notFound("affiliate");
      const tags = [...new Set([...affiliate.tags, ...add])].filter((tag) => !remove.includes(tag)).sort();
      if (tags.join() === affiliate.tags.join()) continue;
      if (tags.length > MAX_TAGS) {
        throw invalidField("add", `${affiliate.email} would have more than ${MAX_TAGS} tags.`);
      }
      await updateAffiliateWithin(sql, context, { id, tags });
      changed += 1;
    }
    return { changed };
  });
}

/** The tags of the organization's affiliates, the most frequent ones first. */
export async function listTags({ database, organization }: Context): Promise<KnownTags> {
  return { tags: await listKnownTags(database, organization.id, MOST_KNOWN) };
}
