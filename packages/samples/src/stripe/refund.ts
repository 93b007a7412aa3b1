import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SampleRefund {
  id: string;
  created: number;
  amount: number;
  currency?: string;
  charge: string | null;
  payment_intent: string | null;
  customer?: string | null;
  status?: "canceled" | "failed" | "pending" | "requires_action" | "succeeded";
}

/** A refund (https://docs.stripe.com/api/refunds/object), which names the customer since 2026-07-29.dahlia. */
export function sampleRefund(api_version: ApiVersion, sample: SampleRefund): StripeObject {
  const { id, created, amount, currency = "usd", charge, payment_intent, status = "succeeded" } = sample;
  const added = inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": {
      customer: sample.customer ?? null,
      customer_account: null,
      payment_method: "pm_1Qb2C3D4E5F6G7H8",
    },
    "2024-11-20.acacia": {},
  });
  const failed = {
    failure_balance_transaction: `txn_f${id.slice(3)}`,
    failure_reason: "expired_or_canceled_card",
  };
  return {
    id,
    object: "refund",
    amount,
    balance_transaction: `txn_${id.slice(3)}`,
    charge,
    created,
    currency,
    destination_details: {
      card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
      type: "card",
    },
    metadata: {},
    payment_intent,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
    ...(status === "failed" ? failed : {}),
    ...added,
  };
}
