import type { AffiliateTiers } from "@findersfee/contract/tiers";
import { toTimestamp } from "@findersfee/contract/timestamps";
import type { AffiliateTierRow } from "@findersfee/database/tiers/changes";
import { viewNumber } from "../campaigns/tiers/view.ts";

/** A change of an affiliate's tier, in the order of the schema. `currency`: the organization's. */
export function viewTierChange(
  { tier_id, tier_name, since, campaign_id, number, measure, measured_on }: AffiliateTierRow,
  currency: string,
): AffiliateTiers["changes"][number] {
  return {
    id: tier_id,
    name: tier_name,
    since: toTimestamp(since),
    campaign_id,
    number: viewNumber(number, { measure, currency }),
    measured_on,
  };
}
