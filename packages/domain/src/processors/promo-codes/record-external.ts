import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Database, transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { type ExternalCode, recordExternalCode } from "@findersfee/database/processors/promo-codes";
import { reattributePromoCodes } from "../../attribution/reattribute-customers.ts";

/**
 * Records the promotion code that the processor has for an affiliate's promo code, and attributes its earlier customers
 * again.
 */
export async function recordPromoCode(
  database: Database,
  organizationId: string,
  recorded: { id: string; code: string; external: ExternalCode },
): Promise<void> {
  await transaction(database, async (sql) => {
    const organization = await findOrganization(sql, organizationId);
    if (organization === null) throw new Error(`organization ${organizationId} does not exist`);
    // Locked before the code's row, in the same order as the workers.
    await lockPayments(sql, organizationId);
    await recordExternalCode(sql, organizationId, recorded);
    await reattributePromoCodes(sql, organization, [recorded.external.external_id]);
  });
}
