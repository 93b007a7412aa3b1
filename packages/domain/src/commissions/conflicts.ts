import { findCommissionByPayment } from "@findersfee/database/commissions";
import { violatedUnique } from "@findersfee/database/errors";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";

/** What a failed write of a commission means: `commission_exists` with the other's id, or the error itself. */
export async function explainConflict(
  { database, organization }: Context,
  error: unknown,
  processorPaymentId: string | null | undefined,
): Promise<unknown> {
  if (violatedUnique(error) !== "commissions_processor_payment_id") return error;
  const commission_id =
    processorPaymentId && (await findCommissionByPayment(database, organization.id, processorPaymentId));
  return new DomainError("commission_exists", commission_id ? { details: { commission_id } } : {});
}
