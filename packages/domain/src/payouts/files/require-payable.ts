import { FORMULA_START } from "@findersfee/contract/fields";
import { listUnpayable, type UnpayableRow } from "@findersfee/database/payouts/files";
import type { Connection } from "@findersfee/database/postgres/connect";
import { writeAmount } from "../../csv/amount.ts";
import { DomainError } from "../../errors.ts";
import type { PaymentTerms, PayoutFormat } from "./format.ts";
import type { FilePlan } from "./plan.ts";

/** Further payouts are not named; staff fix these and try again. */
const NAMED = 20;

/**
 * Rejects a provider's file with a payout that the provider would refuse, because of its currency or amount, and with an unsafe
 * address. A spreadsheet between export and provider may change an address that it reads as a formula, and the money would go to
 * somebody else. New addresses are validated (`payeeEmailInput`); older ones may not be.
 */
export async function requirePayable(
  sql: Connection,
  organizationId: string,
  { format, plan: { range, currency } }: { format: PayoutFormat; plan: FilePlan },
): Promise<void> {
  const terms = currency === null ? null : format.termsOf(currency);
  const found = await listUnpayable(sql, organizationId, {
    range,
    pattern: FORMULA_START.source,
    terms,
    limit: NAMED,
  });
  if (found.length === 0) return;
  throw new DomainError("invalid_request", {
    message:
      "The provider or the file cannot take some payouts. Pay them manually and move them to paid, or cancel them; to change an address, change the affiliate's payout email first.",
    issues: found.map((row) => ({ path: `payout ${row.id}`, message: reasonOf(row, terms) })),
  });
}

function reasonOf(row: UnpayableRow, terms: PaymentTerms | null): string {
  const { affiliate_name, payout_email, amount_minor, currency } = row;
  if (terms === null) return `${affiliate_name} is paid in ${currency}, which the provider does not pay.`;
  const amount = `${writeAmount(amount_minor, currency)} ${currency}`;
  if (amount_minor % terms.step_minor !== 0n) {
    return `${affiliate_name} gets ${amount}; the provider pays whole amounts of ${currency} only.`;
  }
  if (terms.most_minor !== null && amount_minor > terms.most_minor) {
    return `${affiliate_name} gets ${amount}; the provider pays at most ${writeAmount(terms.most_minor, currency)} ${currency}.`;
  }
  if (payout_email === null || payout_email === "") return `${affiliate_name} has no payout email.`;
  return `${affiliate_name} has the payout email ${payout_email}, which spreadsheets read as a formula.`;
}
