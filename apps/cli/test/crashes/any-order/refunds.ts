import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { type Payer, shareOf } from "./payer.ts";
import { DAY, type Timeline } from "./timeline.ts";

/** A card payment. */
export interface Paid {
  amount: number;
  at: number;
  charge: string;
  payment_intent: string;
  invoice: string | null;
}

/** Sometimes refunds a payment partly or fully. */
export function reverse(timeline: Timeline, payer: Payer, paid: Paid): void {
  const { random } = timeline;
  if (paid.amount <= 0) return;
  let gone = 0;
  if (random.chance(0.35)) gone += refund(timeline, payer, paid);
  if (random.chance(0.2)) gone += dispute(timeline, payer, paid);
  timeline.reversed.set(paid.invoice ?? paid.payment_intent, Math.min(gone, paid.amount));
}

/** The event types that report refunds to a merchant. */
type Reporting = "refund" | "charge" | "both";

/** Some refunds, including failed ones; returns the final reversed amount. */
function refund(timeline: Timeline, payer: Payer, paid: Paid): number {
  const { random } = timeline;
  const reporting: Reporting = random.pick(["refund", "charge", "both"]);
  let at = paid.at;
  let refunded = 0;
  for (let times = random.between(1, 3); times > 0 && refunded < paid.amount; times--) {
    at += random.pick([0, 1, 60, 3 * DAY, 40 * DAY]);
    const left = paid.amount - refunded;
    const amount = Math.min(left, Math.max(1, shareOf(left, random.pick([1, 0.5, 0.3333, 0.01]), payer)));
    const made = { id: timeline.id("re"), created: at, amount };
    refunded += amount;
    reportRefund(timeline, payer, { paid, made, refunded, reporting });
    if (!random.chance(0.25)) continue;
    at += random.pick([1, DAY]);
    refunded -= amount;
    reportFailure(timeline, payer, { paid, made, at });
  }
  return refunded;
}

interface Refund {
  id: string;
  created: number;
  amount: number;
}

function reportRefund(
  timeline: Timeline,
  { api_version, currency, customer }: Payer,
  { paid, made, refunded, reporting }: { paid: Paid; made: Refund; refunded: number; reporting: Reporting },
): void {
  const { charge, payment_intent, invoice } = paid;
  const when = { at: made.created, api_version };
  if (reporting !== "charge") {
    const object = sampleRefund(api_version, { ...made, currency, customer, charge, payment_intent });
    timeline.report("refund.created", object, when);
    if (timeline.random.chance(0.3)) timeline.report("refund.updated", object, when);
  }
  if (reporting === "refund") return;
  const object = sampleCharge(api_version, {
    id: charge,
    created: paid.at,
    amount: paid.amount,
    amount_refunded: refunded,
    currency,
    customer,
    invoice,
    payment_intent,
  });
  timeline.report("charge.refunded", object, when);
}

function reportFailure(
  timeline: Timeline,
  { api_version, currency, customer }: Payer,
  { paid, made, at }: { paid: Paid; made: Refund; at: number },
): void {
  const { charge, payment_intent } = paid;
  const sample = { ...made, currency, customer, charge, payment_intent, status: "failed" } as const;
  const object = sampleRefund(api_version, sample);
  for (const type of ["refund.failed", "charge.refund.updated"]) {
    timeline.report(type, object, { at, api_version });
  }
}

/** A dispute or an inquiry; returns the final reversed amount. */
function dispute(timeline: Timeline, payer: Payer, paid: Paid): number {
  const { random } = timeline;
  const { api_version, currency } = payer;
  const { charge, payment_intent } = paid;
  const created = paid.at + random.pick([0, DAY, 20 * DAY]);
  const closed = created + random.pick([0, 1, 10 * DAY]);
  const share = random.pick([1, 1, 0.5]);
  const amount = Math.max(1, shareOf(paid.amount, share, payer));
  const base = { id: timeline.id("du"), created, amount, currency, charge, payment_intent };
  const report = (type: string, at: number, status: string, moved: object = {}) => {
    const object = sampleDispute(api_version, { ...base, status, ...moved });
    timeline.report(`charge.dispute.${type}`, object, { at, api_version });
  };
  if (random.chance(0.2)) {
    report("created", created, "warning_needs_response");
    report("closed", closed, "warning_closed");
    return 0;
  }
  const withdrawn = { withdrawn_at: created };
  report("created", created, "needs_response", withdrawn);
  report("funds_withdrawn", created, "needs_response", withdrawn);
  const outcome = random.pick(["open", "lost", "won"]);
  if (outcome === "open") return amount;
  if (random.chance(0.5)) report("updated", closed, "under_review", withdrawn);
  if (outcome === "lost") {
    report("closed", closed, "lost", withdrawn);
    return amount;
  }
  const reinstated_at = closed + random.pick([0, 1]);
  const back = { ...withdrawn, reinstated_at };
  report("closed", closed, "won", reinstated_at === closed ? back : withdrawn);
  report("funds_reinstated", reinstated_at, "won", back);
  return 0;
}
