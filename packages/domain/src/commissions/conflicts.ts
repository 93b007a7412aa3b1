import { findCommissionByPayment } from "@findersfee/database/commissions/commissions";
import { brokenLedgerGuard, violatedUnique } from "@findersfee/database/postgres/errors";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";

/**
 * Maps a failed write of a commission to `commission_exists` with the other's id, to `commission_locked` if it was
 * added to a payout during the request, or to the error itself.
 */
export async function explainConflict(
  { database, organization }: Context,
  error: unknown,
  processorPaymentId: string | null | undefined,
): Promise<unknown> {
  if (brokenLedgerGuard(error) === "commission_in_payout") return new DomainError("commission_locked");
  if (violatedUnique(error) !== "commissions_processor_payment_id") return error;
  const commission_id =
    processorPaymentId && (await findCommissionByPayment(database, organization.id, processorPaymentId));
  return new DomainError("commission_exists", commission_id ? { details: { commission_id } } : {});
}
