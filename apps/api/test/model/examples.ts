import { DAY, type History, HOUR, MINUTE } from "./history.ts";
import { LEADS_MENDED } from "./lead-examples.ts";
import { RECRUITS_MENDED } from "./recruit-examples.ts";
import { REVIEWS_MENDED } from "./review-examples.ts";
import { checkout, history, once, payment, TERMS } from "./sample-histories.ts";

/** Stripe's invoices name their lines. */
const SOLD = { lines: [{ product: null, amount: 10_000, interval: "month" as const }] };

const refund = once({ kind: "refund", payment: 0, at: 12 * DAY, percent: 50, fails: false });
const manual = {
  kind: "manual",
  customer: 0,
  payment: 0,
  by_other_name: false,
  amount: 1000,
  days_ago: 0,
} as const;

/** Histories on which the service, or this model, contradicted the documents once. */
export const MENDED: Record<string, History> = {
  restored_after_refund: history([
    checkout(),
    payment(),
    refund,
    { kind: "void", payment: 0 },
    { kind: "restore", payment: 0 },
  ]),
  changed_ids: history([checkout(), { kind: "change_id", customer: 0 }, payment({ by: "new_id" })]),
  manual_does_not_count: history([checkout(), { ...manual, payment: null }, payment()], {
    terms: { first_payment: { type: "percentage", amount: 50 } },
  }),
  own_click_among_first_clicks: history(
    [checkout({ at: 10 * MINUTE, codes: [], clicks: [0, 1] }), payment()],
    {
      terms: { attribution: "first_click" },
      affiliates: [
        { campaign: 0, approved: true, is_customer: 0, own_rules: null },
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
      ],
      clicks: [1, 0],
    },
  ),
  other_names_of_a_payment: history([checkout(), payment(), { ...manual, by_other_name: true }]),
  manual_is_not_refunded: history([checkout(), manual, payment(), refund]),
  changed_emails: history([
    checkout(),
    once({ kind: "customer", customer: 0, at: -3 * HOUR, names_email: true, changes_email: true }),
    payment({ by: "new_email" }),
  ]),
  settings_between_payment_and_checkout: history([
    payment(),
    { kind: "set_rate", campaign: 0, rate: { type: "percentage", amount: 10 } },
    checkout(),
  ]),
  discount_after_session: history([checkout({ at: 10 * MINUTE, clicks: [0] }), payment(SOLD)], {
    processor: "2024-11-20.acacia",
    clicks: [1],
  }),
  generic_payments_without_lines: history([checkout(), payment()], {
    terms: { products: { prod_a: { type: "percentage", amount: 40 } } },
  }),
  reason_of_own_click: history([checkout({ at: 10 * MINUTE, codes: [], clicks: [1, 0] }), payment()], {
    affiliates: [
      { campaign: 0, approved: true, is_customer: 0, own_rules: null },
      { campaign: 0, approved: false, is_customer: null, own_rules: null },
    ],
    clicks: [0, 1],
  }),
  excluded_product_with_a_discount: history(
    [
      checkout(),
      payment({
        lines: [
          { product: "prod_a", amount: 11_000, interval: "month" },
          { product: null, amount: -1_000, interval: "month" },
        ],
      }),
    ],
    {
      terms: { rate: { type: "fixed", amount: 7 }, products: { prod_a: { type: "percentage", amount: 0 } } },
    },
  ),
  past_payment_after_a_changed_id: history(
    [
      checkout({ at: 2 * DAY, codes: [2] }),
      checkout({ at: -3 * DAY + MINUTE, codes: [0], clicks: [0] }),
      payment({ at: 2 * DAY + 2 * MINUTE, name: 2, by: "new_id" }),
      { kind: "change_id", customer: 0 },
      payment({ at: -105 * DAY, revenue: 3_000 }),
    ],
    {
      campaigns: [{ ...TERMS, customers: "new" }, TERMS],
      affiliates: [
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 1, approved: true, is_customer: null, own_rules: null },
      ],
      clicks: [0],
    },
  ),
  payment_before_a_changed_id_of_a_credit: history(
    [
      payment({ at: 2 * DAY, by: "new_id" }),
      payment({ at: 2 * DAY + MINUTE, name: 1 }),
      payment({ at: -3 * HOUR + 2 * MINUTE, name: 2, revenue: 3_000 }),
      { kind: "credit", payment: 2, affiliate: 0, past_payments: false },
      { kind: "change_id", customer: 0 },
    ],
    {
      affiliates: [
        { campaign: 0, approved: false, is_customer: null, own_rules: null },
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
      ],
    },
  ),
  sign_up_between_a_click_and_a_later_checkout: history(
    [
      payment({ at: 2 * DAY }),
      checkout({ at: 2 * DAY + MINUTE, codes: [0], clicks: [0] }),
      { kind: "sign_up", customer: 0, click: 0, signed: false },
    ],
    { clicks: [0] },
  ),
  manual_for_a_payment_that_moved_after_a_credit: history(
    [
      payment({ at: 2 * DAY, currency: "KWD" }),
      payment({ at: 2 * DAY + MINUTE, name: 1 }),
      { kind: "credit", payment: 0, affiliate: 2, past_payments: false },
      { kind: "move_customer", customer: 0, affiliate: 0, unpaid_commissions: false },
      manual,
    ],
    {
      campaigns: [
        { ...TERMS, rate: { type: "fixed", amount: 7 }, limit: { type: "payments", amount: 1 } },
        TERMS,
      ],
      affiliates: [
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 1, approved: true, is_customer: null, own_rules: null },
      ],
    },
  ),
  reason_of_an_own_click_with_a_discount: history(
    [
      checkout({ at: 3 * HOUR, codes: [1], clicks: [0] }),
      payment({
        at: 2 * DAY + MINUTE,
        name: 1,
        revenue: 3_000,
        lines: [{ product: "prod_a", amount: 3_000, interval: "month" }],
      }),
      checkout({ at: 2 * DAY + 2 * MINUTE, codes: [], clicks: [0] }),
    ],
    {
      processor: "2024-11-20.acacia",
      affiliates: [
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
        { campaign: 0, approved: false, is_customer: null, own_rules: null },
        { campaign: 0, approved: true, is_customer: 0, own_rules: null },
      ],
      clicks: [2],
    },
  ),
  moved_void_commission: history([
    checkout(),
    payment({ at: -3 * HOUR }),
    { kind: "void", payment: 0 },
    { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: true },
    { kind: "restore", payment: 0 },
  ]),
  reason_of_a_second_own_code: history([checkout({ at: 10 * MINUTE, codes: [0, 1] }), payment()], {
    affiliates: [
      { campaign: 0, approved: false, is_customer: null, own_rules: null },
      { campaign: 0, approved: true, is_customer: 0, own_rules: null },
    ],
  }),
  products_without_commission: history(
    [
      checkout(),
      payment({ lines: [{ product: "prod_a", amount: 10_000, interval: "month" }] }),
      payment({
        name: 1,
        at: 12 * DAY,
        lines: [
          { product: "prod_a", amount: 4_000, interval: "month" },
          { product: null, amount: 6_000, interval: "month" },
        ],
      }),
    ],
    {
      terms: {
        first_payment: { type: "percentage", amount: 50 },
        products: { prod_a: { type: "percentage", amount: 0 } },
      },
    },
  ),
  payments_without_invoices: history(
    [
      checkout(),
      payment({ form: "intent", at: -3 * HOUR }),
      payment({ form: "charge", at: -40 * MINUTE, name: 1 }),
      refund,
    ],
    { processor: "2026-10-28.endive" },
  ),
  signed_sign_up_after_another: history(
    [
      { kind: "sign_up", customer: 0, click: 0, signed: false },
      { kind: "sign_up", customer: 0, click: 1, signed: true },
      payment(),
    ],
    { clicks: [0, 1] },
  ),
  reason_of_an_email_of_a_later_record: history(
    [
      checkout({ codes: [], clicks: [0] }),
      payment({ by: "new_email" }),
      once({ kind: "customer", customer: 0, at: 3 * DAY, names_email: true, changes_email: true }),
    ],
    { clicks: [0] },
  ),
  existing_customer_by_an_email_of_a_later_record: history(
    [
      payment({ by: "new_email", at: -3 * DAY }),
      checkout({ at: -3 * HOUR }),
      payment({ name: 1 }),
      once({ kind: "customer", customer: 0, at: -40 * MINUTE, names_email: true, changes_email: true }),
    ],
    { terms: { customers: "new" } },
  ),
  reason_of_a_missing_email: history(
    [
      checkout({ at: 10 * MINUTE, names_email: false, codes: [0], clicks: [0] }),
      payment({ ...SOLD, names_email: false }),
    ],
    {
      processor: "2024-11-20.acacia",
      affiliates: [
        { campaign: 0, approved: false, is_customer: null, own_rules: null },
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
      ],
      customers: ["some"],
      clicks: [1],
    },
  ),
  fixed_rate_of_a_negative_line: history(
    [
      checkout(),
      payment({
        currency: "JPY",
        lines: [
          { product: null, amount: -1000, interval: "month" },
          { product: "prod_a", amount: 11_000, interval: "month" },
        ],
      }),
    ],
    {
      terms: { rate: { type: "fixed", amount: 7 }, products: { prod_a: { type: "percentage", amount: 30 } } },
    },
  ),
  sign_up_by_an_email_that_no_record_ties: history(
    [
      { kind: "sign_up", customer: 0, click: 0, signed: false },
      once({ kind: "customer", customer: 0, at: 2 * DAY, names_email: true, changes_email: true }),
      payment({ by: "new_email", at: 2 * DAY + MINUTE }),
    ],
    { clicks: [0] },
  ),
  sign_up_of_a_customer: history(
    [
      { kind: "sign_up", customer: 0, click: 0, signed: false },
      checkout({ at: -3 * HOUR, codes: [] }),
      payment(),
    ],
    { clicks: [0] },
  ),
  amounts_converted_from_two_currencies: history(
    [
      checkout(),
      payment({
        at: 3 * HOUR,
        currency: "EUR",
        lines: [
          { product: "prod_a", amount: 5_000, interval: "month" },
          { product: "prod_b", amount: 5_000, interval: "month" },
        ],
      }),
      { kind: "set_payouts", minimum: 0 },
      payment({ name: 1 }),
    ],
    {
      terms: {
        rate: { type: "fixed", amount: 7 },
        rules: [{ conditions: { products: ["prod_a"] }, reward: { KWD: 5 } }],
      },
      rates: [
        { currency: "USD", rate: "1.0812", days_ago: 0 },
        { currency: "KWD", rate: "0.3333", days_ago: 0 },
      ],
    },
  ),
  trial_of_an_id_that_a_checkout_ties_to_the_email: history(
    [
      { kind: "convert", customer: 0, name: "demo", by: "click", click: 0, hours_ago: 0 },
      once({ kind: "trial", customer: 0, at: 2 * DAY + MINUTE, names_email: true }),
      checkout({ at: -3 * DAY + 2 * MINUTE, codes: [] }),
    ],
    {
      clicks: [0],
      terms: { leads: [{ kind: "trial", amount: 7, daily_limit: null }] },
    },
  ),
  manual_for_a_payment_before_the_checkout_of_a_credited_customer: history(
    [
      payment({ at: -40 * DAY }),
      checkout({ at: 2 * DAY }),
      payment({ at: 2 * DAY + MINUTE, name: 1 }),
      payment({ at: 2 * DAY + 2 * MINUTE, name: 2 }),
      { kind: "credit", payment: 1, affiliate: 1, past_payments: false },
      manual,
    ],
    { terms: { customers: "new" } },
  ),
  corrected_amount_of_a_payment_whose_own_rounds_to_zero: history([
    checkout(),
    payment({ revenue: 3 }),
    { kind: "correct", payment: 0, percent: 200 },
    once({ kind: "dispute", payment: 0, at: 12 * DAY, percent: 50, status: "open" }),
  ]),
  refund_of_another_customers_payment_that_a_moved_manual_commission_has: history(
    [
      checkout(),
      payment({ customer: 1 }),
      manual,
      refund,
      { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: true },
    ],
    { customers: ["both", "both"] },
  ),
  manual_commission_of_another_customer_when_its_payments_customer_is_moved: history(
    [
      checkout(),
      checkout({ customer: 1 }),
      manual,
      payment({ customer: 1 }),
      { kind: "move_customer", customer: 1, affiliate: 1, unpaid_commissions: true },
    ],
    { customers: ["both", "both"] },
  ),
  ...LEADS_MENDED,
  ...RECRUITS_MENDED,
  limit_without_a_void_manual_commission_of_another_customers_payment: history(
    [
      checkout({ at: -30 * DAY }),
      payment({ customer: 1, at: -20 * DAY }),
      { kind: "manual", customer: 0, payment: 0, by_other_name: false, amount: 1000, days_ago: 20 },
      once({ kind: "refund", payment: 0, at: DAY, percent: 100, fails: false }),
      payment({ name: 1, at: 3 * DAY }),
    ],
    { customers: ["both", "both"], terms: { limit: { type: "payments", amount: 1 } } },
  ),
  ...REVIEWS_MENDED,
  limit_after_a_refund_of_a_payment_that_waits_for_a_rate: history(
    [
      checkout(),
      payment({ at: -3 * HOUR, currency: "KWD" }),
      payment({ name: 1 }),
      once({ kind: "refund", payment: 0, at: -3 * DAY, percent: 100, fails: false }),
    ],
    {
      terms: { rate: { type: "fixed", amount: 7 }, limit: { type: "payments", amount: 1 } },
      rates: [{ currency: "USD", rate: "1.0812", days_ago: 0 }],
    },
  ),
  move_after_a_payout_to_a_former_affiliate: history(
    [
      { kind: "set_payouts", hold_days: 0 },
      checkout({ codes: [2] }),
      payment({ at: -2 * DAY }),
      { kind: "run" },
      { kind: "move", status: "paid" },
      checkout({ at: -104 * DAY }),
      { kind: "move_customer", customer: 0, affiliate: 1, unpaid_commissions: true },
    ],
    {
      affiliates: [0, 1, 2].map(() => ({ campaign: 0, approved: true, is_customer: null, own_rules: null })),
      terms: { leads: [{ kind: "signup", amount: 7, daily_limit: null }] },
    },
  ),
  credit_of_a_refused_affiliate_after_another_rate: history(
    [
      checkout(),
      payment(),
      { kind: "set_rate", campaign: 0, rate: { type: "percentage", amount: 10 } },
      { kind: "credit", payment: 0, affiliate: 0, past_payments: false },
    ],
    {
      affiliates: [
        { campaign: 0, approved: true, is_customer: 0, own_rules: null },
        { campaign: 0, approved: true, is_customer: null, own_rules: null },
      ],
    },
  ),
};
