import {
  findCommissionsPayment,
  findCorrections,
  upsertCorrection,
  withdrawVoid,
} from "@findersfee/database/attribution/customers";
import { lockCommission } from "@findersfee/database/commissions/commissions";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import type { CommissionRow } from "@findersfee/database/rows";
import { actorText } from "../actor.ts";
import { reattributeCustomers } from "../attribution/reattribute-customers.ts";
import { writeAuditEntry } from "../audit-log/write.ts";
import type { Context } from "../context.ts";
import { DomainError, invalidField, notFound } from "../errors.ts";
import { commissionFields } from "./view.ts";

/**
 * Decides that a commission stays voided when its payment earns again, as after a dispute that was won; or
 * takes that back, which gives it the present earnings of its payment. The caller holds the lock of payments.
 * Null: it was decided before.
 *
 * Errors: `not_found`, `invalid_request`, `commission_locked` for a rejected one.
 */
export async function setStaysVoided(
  sql: Transaction,
  context: Context,
  { id, stays_voided }: { id: string; stays_voided: boolean },
): Promise<CommissionRow | null> {
  const { organization, actor } = context;
  const before = await lockCommission(sql, organization.id, id);
  if (before === null) throw notFound("commission");
  const was = await staysVoided(sql, organization.id, id);
  if (was === stays_voided) return null;
  if (stays_voided && (before.payout_status !== "voided" || before.reversal_of !== null)) {
    throw invalidField("stays_voided", "Only a voided commission that is no reversal can stay voided.");
  }
  if (!stays_voided && before.review_state === "rejected") throw rejected();
  const payment = await findCommissionsPayment(sql, organization.id, id);
  if (payment === null) {
    throw invalidField("stays_voided", "No payment is known that could restore it: void it instead.");
  }
  if (stays_voided) {
    await upsertCorrection(sql, organization.id, {
      ...{ commission_id: id, revenue_minor: null, commission_minor: null, referral_date: null },
      ...{ reversed_minor: payment.reversed_minor, amounts_at: null, voided: true, voided_at: new Date() },
    });
  } else {
    await withdrawVoid(sql, organization.id, id);
    await reattributeCustomers(sql, organization, {
      customer_ids: [payment.customer_id],
      cause: actorText(actor),
    });
  }
  const after = await lockCommission(sql, organization.id, id);
  if (after === null) throw notFound("commission");
  await writeAuditEntry(sql, context, {
    resource: "commission",
    id,
    action: "updated",
    before: { ...commissionFields(before), stays_voided: was },
    after: { ...commissionFields(after), stays_voided },
    currency: before.currency,
  });
  return after;
}

/** A rejected commission is void until it is approved. */
export function rejected(): DomainError {
  return new DomainError("commission_locked", {
    message: "This commission was rejected in a review; approve it instead.",
  });
}

/** Whether a person voided a commission, or decided that it stays voided. */
async function staysVoided(sql: Connection, organizationId: string, id: string): Promise<boolean> {
  const [correction] = await findCorrections(sql, organizationId, [id]);
  return correction?.voided === true;
}
