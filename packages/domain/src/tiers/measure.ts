import type { Database } from "@findersfee/database/postgres/connect";
import type { TiersRow } from "@findersfee/database/rows";
import { findMeasuredNumber, findToday } from "@findersfee/database/tiers/evaluations";
import type { OrganizationContext } from "../context.ts";
import { measuredPieces } from "./period.ts";

/**
 * An affiliate's number in the period until now, by the sealed totals: customers, or minor units of the
 * organization's currency.
 */
export async function measureNow(
  database: Database,
  { id, currency }: Pick<OrganizationContext, "id" | "currency">,
  { tiers: { measure, period }, affiliate_id }: { tiers: TiersRow; affiliate_id: string },
): Promise<bigint> {
  const day = await findToday(database, id);
  const pieces = measuredPieces(period, { day, bonuses_from: null });
  return await findMeasuredNumber(database, id, { measure, currency, pieces, affiliate_id });
}
