import type { Transaction } from "@findersfee/database/connect";
import { BEGINNING } from "@findersfee/database/totals/checks";
import { clearTotals, sealTotals, type TotalSealRow } from "@findersfee/database/totals/seals";

/** Seals the totals of an organization whose seal is locked; all of them again if `is_new`. */
export async function sumUp(
  sql: Transaction,
  organization_id: string,
  { seal, is_new }: { seal: TotalSealRow; is_new: boolean },
): Promise<void> {
  const { sealed_until, until, time_zone } = seal;
  if (is_new) await clearTotals(sql, organization_id);
  await sealTotals(sql, organization_id, { from: is_new ? BEGINNING : sealed_until, until, time_zone });
}
