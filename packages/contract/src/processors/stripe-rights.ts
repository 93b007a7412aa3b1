/** A permission of a restricted key, by the words of Stripe's page, and the reason that the service needs it. */
export interface StripeRight {
  id: string;
  /** The name of the row on Stripe's page. */
  resource: string;
  level: "Read" | "Write";
  /** Stripe's names of the permission, as in the links and errors of Stripe. */
  permissions: readonly string[];
  reason: string;
}

/** Without it, the service cannot create the webhook endpoint. */
export const ENDPOINT_RIGHT = "webhook_endpoints:write";

/** Needed in campaigns with promo codes only. */
export const PROMO_CODE_RIGHTS: readonly string[] = ["promotion_codes:write", "coupons:read"];

/**
 * The permissions of a restricted key that the service uses. Write includes Read. docs/processors.md lists the same.
 */
export const stripe_rights = [
  {
    id: ENDPOINT_RIGHT,
    resource: "Webhook Endpoints",
    level: "Write",
    permissions: ["rak_webhook_write"],
    reason: "Creates, checks and repairs the endpoint that reports your sales.",
  },
  {
    id: "events:read",
    resource: "Events",
    level: "Read",
    permissions: ["rak_event_read"],
    reason: "Finds events that did not arrive, each night.",
  },
  {
    id: "checkout_sessions:read",
    resource: "Checkout Sessions",
    level: "Read",
    permissions: ["rak_checkout_session_read"],
    reason: "Reads the products and promotion codes of a checkout, which its event leaves out.",
  },
  {
    id: "invoices:read",
    resource: "Invoices",
    level: "Read",
    permissions: ["rak_invoice_read"],
    reason: "Reads the lines of long invoices, and the invoice that a refund belongs to.",
  },
  {
    id: "payment_intents:read",
    resource: "PaymentIntents",
    level: "Read",
    permissions: ["rak_payment_intent_read"],
    reason: "Finds the payment of a refund or dispute.",
  },
  {
    id: "charges:read",
    resource: "Charges and Refunds",
    level: "Read",
    permissions: ["rak_charge_read"],
    reason: "Finds the payment of a refund or dispute.",
  },
  {
    id: "balance:read",
    resource: "Balance",
    level: "Read",
    permissions: ["rak_balance_read", "rak_balance_transaction_source_read"],
    reason: "Converts refunds and disputes in another currency than their payment.",
  },
  {
    id: "promotion_codes:write",
    resource: "Promotion Codes",
    level: "Write",
    permissions: ["rak_promotion_code_write"],
    reason: "Creates affiliates’ promotion codes.",
  },
  {
    id: "coupons:read",
    resource: "Coupons",
    level: "Read",
    permissions: ["rak_coupon_read"],
    reason: "Creates promotion codes for the campaign’s coupon.",
  },
] as const satisfies readonly StripeRight[];

/** The right in the words of Stripe's page, such as "Events: Read". */
export function nameOfRight(id: string): string {
  const right = stripe_rights.find((item) => item.id === id);
  return right === undefined ? id : `${right.resource}: ${right.level}`;
}

/** Stripe's page that creates a restricted key, with these permissions chosen. */
export function restrictedKeyPage({ livemode }: { livemode: boolean }): string {
  const query = new URLSearchParams({ name: "Findersfee" });
  for (const { permissions } of stripe_rights) {
    for (const permission of permissions) query.append("permissions[]", permission);
  }
  return `https://dashboard.stripe.com/${livemode ? "" : "test/"}apikeys/create?${query}`;
}
