import { type Database, transaction } from "@findersfee/database/connect";
import { findOrganization } from "@findersfee/database/organizations";
import { lockPayments } from "@findersfee/database/processor-work";
import { type ExternalCode, settlePromoCode as settleRow } from "@findersfee/database/promo-codes";
import { reattributePromoCodes } from "../../attribution/reattribute-customers.ts";

/**
 * Notes the promotion code that the processor has for an affiliate's promo code, and decides again about who
 * used it before that was known.
 */
export async function settlePromoCode(
  database: Database,
  organizationId: string,
  settled: { id: string; code: string; external: ExternalCode },
): Promise<void> {
  await transaction(database, async (sql) => {
    const organization = await findOrganization(sql, organizationId);
    if (organization === null) throw new Error(`there is no organization ${organizationId}`);
    // Before the code's row: the workers take the two in this order.
    await lockPayments(sql, organizationId);
    await settleRow(sql, organizationId, settled);
    await reattributePromoCodes(sql, organization, [settled.external.external_id]);
  });
}
