import { findPaymentNames, ONE_COMMISSION } from "@findersfee/database/commissions/payment-names";
import type { Connection } from "@findersfee/database/postgres/connect";
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
  if (violatedUnique(error) !== ONE_COMMISSION) return error;
  return commissionExists(
    processorPaymentId ? await findHolder(database, organization.id, processorPaymentId) : null,
  );
}

/** `commission_exists` with the id of the commission that has the payment; null: it is unknown. */
export function commissionExists(commission_id: string | null): DomainError {
  return new DomainError("commission_exists", commission_id === null ? {} : { details: { commission_id } });
}

/** The commission that has the payment with this name; null: none. */
export async function findHolder(
  sql: Connection,
  organizationId: string,
  name: string,
): Promise<string | null> {
  const [known] = await findPaymentNames(sql, organizationId, [name]);
  return known?.commission_id ?? null;
}
