import { formatCount, formatCountBelow } from "@findersfee/ui/formats/counts";

const sourceNames: Record<string, string> = { ecb: "ECB", file: "uploaded", manual: "added manually" };

export const texts = {
  title: "Payments",
  try: "Try a payment",
  search: "Name, email, code, payment ID",
  outcome: "Outcome",
  without: "Without a commission",
  processor: "Processor",
  processors: { stripe: "Stripe", generic: "Other" },
  paid: "Paid",
  customer: "Customer",
  amount: "Amount",
  affiliate: "Affiliate",
  commission: "Commission",
  unknown_customer: "Unknown",
  passed: (name: string) => `${name}, not credited`,
  won_by: "Credited to",
  overrides: { credit: "credited", move: "moved", stop: null },
  days_of: (age: number, allowed: number) => `${formatCount(age)} of ${formatCount(allowed)} days`,
  credit: "Credit an affiliate…",
  decide_again: "Rerun attribution…",
  nothing_yet: "No payments yet",
  nothing_yet_hint:
    "Connect Stripe, or report payments through the API. Each payment appears here with its commission, or the reason for none.",
  connect: "Connect Stripe",
  how_to_connect: "How to connect",
  nothing_matches: "No payments match",
  count: (count: number, most: number) => formatCountBelow(count, most),

  back_to_list: "Payments",
  payment_of: (amount: string, customer: string) => `${amount} from ${customer}`,
  unknown_sender: "an unknown customer",
  looked_at: "Promo codes and clicks",
  referral: "Referral",
  referred_by_hand: "Manually referred by",
  referred_by_credit: "Credited by",
  referred_by_api: "Referred by API",
  on_day: "on",
  no_candidates: "No affiliate’s promo code, and no click within 400 days.",
  wrong_reference: (reference: string) => `The checkout’s reference ${reference} is not a click ID.`,
  pass_the_click: "How to pass the click ID to Stripe",
  sources: { promo_code: "Promo code", click: "Click", signup: "Sign-up" },
  landed_on: (page: string) => `on ${page}`,
  came_from: (site: string) => `from ${site}`,
  days_before: (days: number) =>
    days === 1 ? "1 day before the payment" : `${formatCount(days)} days before the payment`,
  same_day: "on the day of the payment",
  money: "Money",
  paid_with_tax: "Total paid",
  tax: "Tax",
  net: "Net",
  exact: "Before rounding",
  rounded: "Commission, rounded",
  /** The rate, and where it is from: `at 0.9249 (ECB, 2026-11-26)`. */
  converted: ({
    rate,
    exchange_rates,
  }: {
    rate: string;
    exchange_rates: { source: string; day: string }[];
  }) => {
    const sources = exchange_rates.map(({ source, day }) => `${sourceNames[source] ?? source}, ${day}`);
    return `at ${rate} (${[...new Set(sources)].join("; ")})`;
  },
  set_by_hand: "Commission, set manually",
  commission_before: "Commission",
  rules: {
    first_payment: "First payment rate",
    product: "Product rate",
    campaign: "Campaign rate",
    rule: "Rule",
    commission_cap: "Capped at the payment",
  },
  excluded: "Excluded product",
  of: (amount: string) => `of ${amount}`,
  reports: "Source events",
  report_kinds: {
    checkout: "Checkout",
    customer: "Customer",
    signup: "Sign-up",
    subscription: "Subscription",
    payment: "Payment",
    charge: "Charge",
    refund: "Refund",
    dispute: "Dispute",
    refunded_total: "Total refunded",
    link: "Linked IDs",
    amounts: "Amounts",
    products: "Products",
  } as Record<string, string>,
  facts: "Details",
  payment_id: "Payment ID",
  customer_ids: "Customer",
  campaign: "Campaign",
  decided: "Decided",
  show_commission: "View commission",

  approve: (name: string) => `Approve ${name}`,
  unban: (name: string) => `Unban ${name}`,
  approved: (name: string) => `${name} is approved`,
  unbanned: (name: string) => `${name} is no longer banned`,

  again: "Rerun attribution",
  again_title: (count: number) =>
    count === 1
      ? "Rerun attribution for this payment"
      : `Rerun attribution for ${formatCount(count)} payments`,
  again_hint: "Uses today’s settings. Existing referrals stay.",
  again_changes: (changed: number, count: number) =>
    changed === 0
      ? count === 1
        ? "The result would be the same."
        : "All results would be the same."
      : changed === 1
        ? "1 result would change:"
        : `${formatCount(changed)} results would change:`,
  close: "Close",
  again_done: (changed: number) =>
    changed === 1 ? "1 result changed" : `${formatCount(changed)} results changed`,
  now: "Now",
  afterwards: "After",
  cancel: "Cancel",
  checking: "Checking…",

  try_title: "Try a payment",
  try_hint: "See what a payment would earn, under the same rules as real ones. Nothing is saved.",
  revenue: "Amount before tax",
  currency: "Currency",
  try_email: "Email",
  try_code: "Promo code",
  try_click: "Click ID",
  try_customer: "Customer ID at the processor",
  products: "Products",
  product: "Product ID",
  product_amount: "Amount",
  add_product: "Add a product",
  remove_product: (number: number) => `Remove product ${number}`,
  calculate: "Calculate",
  result: "Result",
  result_empty: "Enter a payment to see its outcome and commission.",
  without_products:
    "The campaign has product rates, but this payment has no products, so all of it earns the campaign rate. Add products to see what they earn; a real checkout or invoice includes them.",
  unchanged: "Nothing was saved.",
  bad_amount: "Enter an amount, such as 49.00.",
};
