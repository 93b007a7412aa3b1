import { hasFixedAmounts } from "@findersfee/database/organizations/settings";
import type { Connection } from "@findersfee/database/postgres/connect";
import { invalidField } from "../../errors.ts";

/**
 * Requires that an organization may change its currency: fixed amounts of campaigns would become amounts in another one.
 * Returns whether it may not.
 *
 * @throws DomainError `invalid_request`
 */
export async function requireCurrency(
  sql: Connection,
  organization_id: string,
  { before, after }: { before: string; after: string },
): Promise<boolean> {
  const is_locked = await hasFixedAmounts(sql, organization_id);
  if (!is_locked || before === after) return is_locked;
  throw invalidField(
    "currency",
    `Campaigns have fixed amounts in ${before}; make them percentages, and remove amounts for reviews, first.`,
  );
}
