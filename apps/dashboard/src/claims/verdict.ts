import type { StateTone } from "@findersfee/ui/components/state";
import { nameOf } from "../affiliates/name.ts";
import { sentences } from "../payments/outcomes.ts";
import type { ClaimDetail, ClaimedPayment } from "./queries.ts";
import { verdicts } from "./verdict-texts.ts";

/** What the facts say about a claim. */
export interface Verdict {
  tone: StateTone;
  /** For the organization. */
  text: string;
  /** The same for the affiliate, without names of others; the beginning of a decline's reason. */
  answer: string;
}

/** The payment that the claim is most likely about: around its day, best one that can be accepted; null: none is. */
export function claimedPayment({ claim, payments }: ClaimDetail): ClaimedPayment | null {
  const near = byDistance(payments, claim.paid_on).filter(({ is_near }) => is_near);
  const chosen = near.find(({ id }) => id === claim.payment_decision_id);
  return chosen ?? near.find(({ obstacle }) => obstacle === null) ?? near[0] ?? null;
}

function byDistance(payments: readonly ClaimedPayment[], day: string): ClaimedPayment[] {
  const distance = ({ paid_at }: ClaimedPayment) => Math.abs(Date.parse(paid_at) - Date.parse(day));
  return payments.toSorted((a, b) => distance(a) - distance(b));
}

/** `dayOf` writes a day, or the day of a time. */
export function verdictOf(detail: ClaimDetail, dayOf: (at: string) => string): Verdict {
  const { claim, payments } = detail;
  const payment = claimedPayment(detail);
  if (payment !== null) return verdictOfPayment(detail, payment);
  const [closest] = byDistance(payments, claim.paid_on);
  if (closest === undefined) {
    const { text, answer } = verdicts.nothing_known;
    return { tone: "none", text: text(claim.email), answer };
  }
  const { text, answer } = verdicts.not_near;
  const day = dayOf(claim.paid_on);
  return { tone: "none", text: text(claim.email, day, dayOf(closest.paid_at)), answer: answer(day) };
}

function verdictOfPayment(detail: ClaimDetail, payment: ClaimedPayment): Verdict {
  const name = nameOf(detail.claim.affiliate);
  switch (payment.obstacle) {
    case "earned_by_affiliate": {
      const { text, answer } = verdicts.earned_by_affiliate;
      return { tone: "done", text: text(name), answer };
    }
    case "earned_by_other": {
      const { text, answer } = verdicts.earned_by_other;
      const other = payment.affiliate === null ? verdicts.somebody : nameOf(payment.affiliate);
      return { tone: "stopped", text: text(other), answer };
    }
    case "customer_of_other": {
      const { text, answer } = verdicts.customer_of_other;
      const other = detail.customer === null ? verdicts.somebody : nameOf(detail.customer.affiliate);
      return { tone: "stopped", text: text(other), answer };
    }
    case "manual_commission":
      return { tone: "done", ...verdicts.manual_commission };
    case null:
      return verdictOfEvidence(payment, name);
  }
}

/** Of a payment that can be accepted: the reason why it earned nothing. */
function verdictOfEvidence({ own_candidate, outcome }: ClaimedPayment, name: string): Verdict {
  switch (own_candidate?.result) {
    case "click_expired": {
      const { age_days, cookie_duration } = own_candidate;
      if (age_days === null || cookie_duration === null) return verdictOfRules(outcome);
      const [age, allowed] = [verdicts.days(age_days), verdicts.days(cookie_duration)];
      const { text, answer } = verdicts.click_expired;
      return { tone: "warning", text: text(age, allowed), answer: answer(age, allowed) };
    }
    case "click_after_checkout":
      return { tone: "warning", ...verdicts.click_after_checkout };
    case "existing_customer":
      return { tone: "warning", ...verdicts.existing_customer };
    case "affiliate_unapproved":
    case "affiliate_banned":
    case "self_referral": {
      const { text, answer } = verdicts[own_candidate.result];
      return { tone: "warning", text: text(name), answer };
    }
    case "won":
    case "lost":
    case "unknown_code":
    case "unknown_click":
      return verdictOfRules(outcome);
    case undefined: {
      if (outcome !== "no_referral") return verdictOfRules(outcome);
      const { text, answer } = verdicts.no_evidence;
      return { tone: "warning", text: text(name), answer };
    }
  }
}

function verdictOfRules(outcome: ClaimedPayment["outcome"]): Verdict {
  const { answers, other } = verdicts.by_rules;
  return { tone: "warning", text: sentences[outcome], answer: answers[outcome] ?? other };
}
