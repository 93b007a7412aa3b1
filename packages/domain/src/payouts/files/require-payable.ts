import { FORMULA_START } from "@findersfee/contract/fields";
import { listUnpayable, type UnpayableRow } from "@findersfee/database/payouts/files";
import type { Connection } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import type { FilePlan } from "./plan.ts";

/** Further payouts are not named; staff fix these and try again. */
const NAMED = 20;

/**
 * Rejects a provider's file if it would contain an unsafe address. A spreadsheet between export and provider may change
 * an address that it reads as a formula, and the money would go to somebody else. New addresses are validated
 * (`payeeEmailInput`); older ones may not be.
 */
export async function requirePayable(
  sql: Connection,
  organizationId: string,
  { range }: FilePlan,
): Promise<void> {
  const found = await listUnpayable(sql, organizationId, {
    range,
    pattern: FORMULA_START.source,
    limit: NAMED,
  });
  if (found.length === 0) return;
  throw new DomainError("invalid_request", {
    message:
      "The file cannot carry the address of some payouts. Cancel them and change the affiliates' payout emails, or pay them manually and move them to paid.",
    issues: found.map((row) => ({ path: `payout ${row.id}`, message: reasonOf(row) })),
  });
}

function reasonOf({ affiliate_name, payout_email }: UnpayableRow): string {
  if (payout_email === null || payout_email === "") return `${affiliate_name} has no payout email.`;
  return `${affiliate_name} has the payout email ${payout_email}, which spreadsheets read as a formula.`;
}
