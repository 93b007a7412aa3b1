import { type AffiliateTiers, MAX_TIER_CHANGES } from "@findersfee/contract/tiers";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import { listAffiliateTiers } from "@findersfee/database/tiers/changes";
import { viewNumber } from "../campaigns/tiers/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { measureNow } from "./measure.ts";
import { viewTierChange } from "./view.ts";

/** The tiers of an affiliate, and its number in the period of its campaign's tiers. Errors: `not_found`. */
export async function getAffiliateTiers(
  { database, organization }: Context,
  affiliate_id: string,
): Promise<AffiliateTiers> {
  const affiliate = await findAffiliate(database, organization.id, affiliate_id);
  if (affiliate === null) throw notFound("affiliate");
  const { currency } = organization;
  const { tiers } = affiliate.campaign;
  const changes = await listAffiliateTiers(database, organization.id, {
    affiliate_ids: [affiliate.id],
    limit: MAX_TIER_CHANGES,
  });
  return {
    affiliate_id: affiliate.id,
    progress:
      tiers === null
        ? null
        : {
            measure: tiers.measure,
            period: tiers.period,
            number: viewNumber(
              await measureNow(database, organization, { tiers, affiliate_id: affiliate.id }),
              {
                measure: tiers.measure,
                currency,
              },
            ),
          },
    changes: changes.map((change) => viewTierChange(change, currency)),
  };
}
