import type { PortalRule, PublicRule } from "@findersfee/contract/portal/rules";
import { findRuleSets, type StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewRules } from "../campaigns/rules/view.ts";

/**
 * The rules that decide an affiliate's payments now: its own, and those of its campaign. Those for tags that it does not have are left
 * out, and the others do not name theirs, because tags are for the organization alone.
 */
export async function findPortalRules(
  database: Database,
  organization_id: string,
  { campaign, rule_schedule, tags: own_tags }: Pick<AffiliateRow, "campaign" | "rule_schedule" | "tags">,
): Promise<{ own: PortalRule[]; of_campaign: PortalRule[] }> {
  const now = Date.now();
  const current = rule_schedule.findLast(({ starts_at }) => Date.parse(starts_at) <= now);
  const own_id = current?.rule_set_id ?? null;
  const ids = [own_id, campaign.rule_set_id].filter((id) => id !== null);
  const sets = ids.length === 0 ? [] : await findRuleSets(database, organization_id, ids);
  const rulesOf = (id: string | null) => viewFor(sets.find((set) => set.id === id)?.rules ?? [], own_tags);
  return { own: rulesOf(own_id), of_campaign: rulesOf(campaign.rule_set_id) };
}

/** The rules that everybody may see, as they decide payments of affiliates without tags. */
export function viewPublicRules(rules: readonly StoredRule[]): PublicRule[] {
  return viewFor(rules, []).map(({ conditions: { promo_codes, ...conditions }, ...rule }) => ({
    ...rule,
    conditions,
    has_more_conditions: rule.has_more_conditions || promo_codes !== undefined,
  }));
}

function viewFor(rules: readonly StoredRule[], own_tags: readonly string[]): PortalRule[] {
  const reachable = viewRules(rules).filter(
    ({ conditions: { tags } }) => tags?.some((tag) => own_tags.includes(tag)) ?? true,
  );
  return reachable.map(({ conditions: { products, metadata, tags: _, ...conditions }, reward }) => ({
    conditions,
    of_some_products: products !== undefined,
    has_more_conditions: metadata !== undefined,
    reward,
  }));
}
