import type { PaymentDecision } from "@findersfee/contract/attribution/payment-decisions";
import { findPaymentDecision } from "@findersfee/database/attribution/decisions";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewPaymentDecision } from "./view.ts";

/** The decision about a payment. Errors: `not_found`. */
export async function getPaymentDecision(
  { database, organization }: Context,
  id: string,
): Promise<PaymentDecision> {
  const row = await findPaymentDecision(database, organization.id, id);
  if (row === null) throw notFound("payment decision");
  return viewPaymentDecision(row, organization.currency);
}
