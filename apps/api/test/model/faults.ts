/*
 * Faults of the service that are known and not mended yet: kinds of history in which it contradicts the documents. The
 * generator leaves them out. Whoever mends one deletes its line here, and what asks for it in histories.ts.
 */

export const FAULTS = [
  // A commission that is voided and restored after a refund is whole again.
  "restored_after_refund",
  // A referral that a checkout made, and that gets another id of its customer, does not find that customer's payments.
  "changed_ids",
  // Manual commissions of such referrals count neither as the first one nor for a limit.
  "manual_does_not_count",
  // A discount of a session that starts after the session was opened does not win over a click.
  "discount_after_session",
  // With an affiliate's own click among them, the last click decides in campaigns for the first one.
  "own_click_among_first_clicks",
  // A payment before its checkout is decided by the settings at the checkout.
  "settings_between_payment_and_checkout",
  // A generic payment without line items, whose products are unknown, earns at the campaign's rate.
  "generic_payments_without_lines",
  // Another name of a payment that earned can get a manual commission.
  "other_names_of_a_payment",
  // Manual commissions are not reduced by refunds.
  "manual_is_not_refunded",
  // Of a customer with an older checkout, but no payment, a sign-up says that the customer paid before.
  "reason_of_withdrawn_sign_ups",
  // A customer's new email is not known of later payments.
  "changed_emails",
] as const;

export type Fault = (typeof FAULTS)[number];

/** `MODEL_FAULTS=all`, or some of them, lets the generator make these histories. */
export function includedFaults(names: string | undefined): ReadonlySet<Fault> {
  if (names === undefined) return new Set();
  if (names === "all") return new Set(FAULTS);
  return new Set(
    names.split(",").map((name) => {
      const fault = FAULTS.find((known) => known === name);
      if (fault === undefined) throw new Error(`${name} is not a known fault`);
      return fault;
    }),
  );
}
