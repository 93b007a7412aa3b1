import { type ApiVersion, inVersion, type StripeObject } from "./api-version.ts";

export interface SampleDispute {
  id: string;
  created: number;
  amount: number;
  currency?: string;
  charge: string;
  payment_intent: string | null;
  status: string;
  /** When the money went, and when it came back. */
  withdrawn_at?: number | null;
  reinstated_at?: number | null;
  /** How it came up: `chargeback`, `inquiry`, `block`, `resolution`. */
  case_type?: string;
}

const evidence = Object.fromEntries(
  [
    "access_activity_log",
    "billing_address",
    "cancellation_policy",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_communication",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "customer_signature",
    "duplicate_charge_documentation",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "service_documentation",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_documentation",
    "shipping_tracking_number",
    "uncategorized_file",
    "uncategorized_text",
  ].map((name) => [name, null]),
);

/** A dispute (https://docs.stripe.com/api/disputes/object). Appeals exist since 2026-10-28.endive. */
export function sampleDispute(api_version: ApiVersion, sample: SampleDispute): StripeObject {
  const { id, created, amount, currency = "usd", charge, payment_intent, status } = sample;
  const details = {
    due_by: created + 9 * 86_400,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
  };
  const moved = inVersion<Record<string, unknown>>(api_version, {
    "2026-10-28.endive": {
      evidence_details: { ...details, submission_method: "not_submitted" },
      intended_submission_method: null,
    },
    "2024-11-20.acacia": { evidence_details: details },
  });
  return {
    id,
    object: "dispute",
    amount,
    balance_transactions: transactionsOf(sample),
    charge,
    created,
    currency,
    enhanced_eligibility_types: [],
    evidence: { ...evidence, enhanced_evidence: {} },
    is_charge_refundable: status.startsWith("warning_"),
    livemode: false,
    metadata: {},
    payment_intent,
    payment_method_details: {
      card: { brand: "visa", case_type: sample.case_type ?? "chargeback", network_reason_code: "10.4" },
      type: "card",
    },
    reason: "fraudulent",
    status,
    ...moved,
  };
}

function transactionsOf({ id, amount, currency = "usd", withdrawn_at, reinstated_at }: SampleDispute) {
  const transaction = (
    name: string,
    { amount, fee, created }: Record<"amount" | "fee" | "created", number>,
  ) => ({
    id: `txn_${name}${id.slice(3)}`,
    object: "balance_transaction",
    amount,
    available_on: created + 2 * 86_400,
    balance_type: "payments",
    created,
    currency,
    description: `Chargeback ${name} for ${id}`,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: amount - fee,
    reporting_category: name === "withdrawal" ? "dispute" : "dispute_reversal",
    source: id,
    status: "pending",
    type: "adjustment",
  });
  return [
    ...(withdrawn_at
      ? [transaction("withdrawal", { amount: -amount, fee: 1500, created: withdrawn_at })]
      : []),
    ...(reinstated_at ? [transaction("reversal", { amount, fee: 0, created: reinstated_at })] : []),
  ];
}
