import type { PortalRule } from "@findersfee/contract/portal/rules";
import { findRuleSets } from "@findersfee/database/campaigns/rule-sets";
import type { Database } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import { viewRules } from "../campaigns/rules/view.ts";

/** The rules that decide an affiliate's payments now: its own, and those of its campaign. */
export async function findPortalRules(
  database: Database,
  organization_id: string,
  { campaign, rule_schedule }: Pick<AffiliateRow, "campaign" | "rule_schedule">,
): Promise<{ own: PortalRule[]; of_campaign: PortalRule[] }> {
  const now = Date.now();
  const current = rule_schedule.findLast(({ starts_at }) => Date.parse(starts_at) <= now);
  const own_id = current?.rule_set_id ?? null;
  const ids = [own_id, campaign.rule_set_id].filter((id) => id !== null);
  const sets = ids.length === 0 ? [] : await findRuleSets(database, organization_id, ids);
  const rulesOf = (id: string | null) => {
    const rules = viewRules(sets.find((set) => set.id === id)?.rules ?? []);
    return rules.map(({ conditions: { products, metadata, ...conditions }, reward }) => ({
      conditions,
      of_some_products: products !== undefined,
      has_more_conditions: metadata !== undefined,
      reward,
    }));
  };
  return { own: rulesOf(own_id), of_campaign: rulesOf(campaign.rule_set_id) };
}
