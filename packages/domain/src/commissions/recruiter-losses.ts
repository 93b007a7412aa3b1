import type { RecruiterLosses } from "@findersfee/contract/commissions/recruits";
import type { CommissionIds } from "@findersfee/contract/commissions/rows";
import { areKnown, listRecruiterLosses as listRows } from "@findersfee/database/commissions/recruits";
import { viewRowAffiliate } from "../affiliates/view.ts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { toMajor } from "../money.ts";

/**
 * Returns the shares that recruiters lose if these commissions are rejected, the largest first: they are voided, too. Errors:
 * `not_found`.
 */
export async function listRecruiterLosses(
  { database, organization }: Context,
  { ids }: CommissionIds,
): Promise<RecruiterLosses> {
  if (!(await areKnown(database, organization.id, ids))) throw notFound("commission");
  const rows = await listRows(database, organization.id, ids);
  return rows.map((row) => ({
    affiliate: viewRowAffiliate(row),
    currency: row.currency,
    commission_amount: toMajor(row.commission_minor, row.currency),
  }));
}
