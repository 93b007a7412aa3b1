import { sampleCharge } from "@findersfee/samples/stripe/charge";
import { sampleDispute } from "@findersfee/samples/stripe/dispute";
import { sampleRefund } from "@findersfee/samples/stripe/refund";
import { type Chronicle, DAY } from "./chronicle.ts";
import { type Payer, shareOf } from "./payer.ts";

/** Money that has come in, by a card. */
export interface Paid {
  amount: number;
  at: number;
  charge: string;
  payment_intent: string;
  invoice: string | null;
}

/** Now and then a part of a payment goes back, or all of it. */
export function takeBack(chronicle: Chronicle, payer: Payer, paid: Paid): void {
  const { random } = chronicle;
  if (paid.amount <= 0) return;
  let gone = 0;
  if (random.chance(0.35)) gone += refund(chronicle, payer, paid);
  if (random.chance(0.2)) gone += dispute(chronicle, payer, paid);
  chronicle.taken_back.set(paid.invoice ?? paid.payment_intent, Math.min(gone, paid.amount));
}

/** By which events a merchant hears of refunds. */
type Telling = "refund" | "charge" | "both";

/** Some refunds, of which some fail; returns how much is gone in the end. */
function refund(chronicle: Chronicle, payer: Payer, paid: Paid): number {
  const { random } = chronicle;
  const telling: Telling = random.pick(["refund", "charge", "both"]);
  let at = paid.at;
  let refunded = 0;
  for (let times = random.between(1, 3); times > 0 && refunded < paid.amount; times--) {
    at += random.pick([0, 1, 60, 3 * DAY, 40 * DAY]);
    const left = paid.amount - refunded;
    const amount = Math.min(left, Math.max(1, shareOf(left, random.pick([1, 0.5, 0.3333, 0.01]), payer)));
    const made = { id: chronicle.id("re"), created: at, amount };
    refunded += amount;
    tellRefund(chronicle, payer, { paid, made, refunded, telling });
    if (!random.chance(0.25)) continue;
    at += random.pick([1, DAY]);
    refunded -= amount;
    tellFailure(chronicle, payer, { paid, made, at });
  }
  return refunded;
}

interface Refund {
  id: string;
  created: number;
  amount: number;
}

function tellRefund(
  chronicle: Chronicle,
  { api_version, currency, customer }: Payer,
  { paid, made, refunded, telling }: { paid: Paid; made: Refund; refunded: number; telling: Telling },
): void {
  const { charge, payment_intent, invoice } = paid;
  const when = { at: made.created, api_version };
  if (telling !== "charge") {
    const object = sampleRefund(api_version, { ...made, currency, customer, charge, payment_intent });
    chronicle.tell("refund.created", object, when);
    if (chronicle.random.chance(0.3)) chronicle.tell("refund.updated", object, when);
  }
  if (telling === "refund") return;
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
  chronicle.tell("charge.refunded", object, when);
}

function tellFailure(
  chronicle: Chronicle,
  { api_version, currency, customer }: Payer,
  { paid, made, at }: { paid: Paid; made: Refund; at: number },
): void {
  const { charge, payment_intent } = paid;
  const sample = { ...made, currency, customer, charge, payment_intent, status: "failed" } as const;
  const object = sampleRefund(api_version, sample);
  for (const type of ["refund.failed", "charge.refund.updated"]) {
    chronicle.tell(type, object, { at, api_version });
  }
}

/** A dispute or an inquiry; returns how much is gone in the end. */
function dispute(chronicle: Chronicle, payer: Payer, paid: Paid): number {
  const { random } = chronicle;
  const { api_version, currency } = payer;
  const { charge, payment_intent } = paid;
  const created = paid.at + random.pick([0, DAY, 20 * DAY]);
  const closed = created + random.pick([0, 1, 10 * DAY]);
  const share = random.pick([1, 1, 0.5]);
  const amount = Math.max(1, shareOf(paid.amount, share, payer));
  const base = { id: chronicle.id("du"), created, amount, currency, charge, payment_intent };
  const tell = (type: string, at: number, status: string, moved: object = {}) => {
    const object = sampleDispute(api_version, { ...base, status, ...moved });
    chronicle.tell(`charge.dispute.${type}`, object, { at, api_version });
  };
  if (random.chance(0.2)) {
    tell("created", created, "warning_needs_response");
    tell("closed", closed, "warning_closed");
    return 0;
  }
  const withdrawn = { withdrawn_at: created };
  tell("created", created, "needs_response", withdrawn);
  tell("funds_withdrawn", created, "needs_response", withdrawn);
  const outcome = random.pick(["open", "lost", "won"]);
  if (outcome === "open") return amount;
  if (random.chance(0.5)) tell("updated", closed, "under_review", withdrawn);
  if (outcome === "lost") {
    tell("closed", closed, "lost", withdrawn);
    return amount;
  }
  const reinstated_at = closed + random.pick([0, 1]);
  const back = { ...withdrawn, reinstated_at };
  tell("closed", closed, "won", reinstated_at === closed ? back : withdrawn);
  tell("funds_reinstated", reinstated_at, "won", back);
  return 0;
}
