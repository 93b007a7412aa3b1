import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The condition that `affiliate` has a tier now. An affiliate who moved to another campaign has none of the former one. */
export function tierCondition(organizationId: string, tier_id: string) {
  return (sql: Connection) => sql`and affiliate.id in (
    select changed.affiliate_id from affiliate_tiers changed
    where changed.organization_id = ${organizationId} and changed.tier_id = ${tier_id}
      and changed.campaign_id = affiliate.campaign_id
      and not exists (
        select from affiliate_tiers later
        where later.organization_id = ${organizationId} and later.affiliate_id = changed.affiliate_id
          and later.since > changed.since))`;
}

const EXISTS = statement<{ exists: boolean }, "organization_id" | "tier_id">(`
  select exists (
    select from campaigns
    where organization_id = :organization_id::uuid
      and tiers -> 'steps' @> jsonb_build_array(jsonb_build_object('id', :tier_id::text))
  ) or exists (
    select from affiliate_tiers where organization_id = :organization_id::uuid and tier_id = :tier_id::text::uuid
  ) as exists`);

/** Whether a campaign has the tier, or an affiliate had it. */
export async function hasTier(sql: Connection, organizationId: string, tier_id: string): Promise<boolean> {
  const [row] = await EXISTS.run(sql, { organization_id: organizationId, tier_id });
  return row?.exists === true;
}
