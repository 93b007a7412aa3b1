import type { StateTone } from "@findersfee/ui/components/state";
import { nameOf } from "../../affiliates/name.ts";
import { sentences } from "../../attribution/outcome-texts.ts";
import type { ClaimDetail, ClaimedPayment } from "./queries.ts";
import { answers, verdicts } from "./verdict-texts.ts";

/** The result of comparing a claim with the known payments and clicks. */
export interface Verdict {
  tone: StateTone;
  /** For the organization. */
  text: string;
  /** For the affiliate, in their language and without names of others: the beginning of a decline's reason. */
  answer: string;
}

/** The most likely payment of a claim: near its day, and if possible one that can be accepted. Null if none is near. */
export function claimedPayment({ claim, payments }: ClaimDetail): ClaimedPayment | null {
  const near = byDistance(payments, claim.paid_on).filter(({ is_near }) => is_near);
  const chosen = near.find(({ id }) => id === claim.payment_decision_id);
  return chosen ?? near.find(({ obstacle }) => obstacle === null) ?? near[0] ?? null;
}

function byDistance(payments: readonly ClaimedPayment[], day: string): ClaimedPayment[] {
  const distance = ({ paid_at }: ClaimedPayment) => Math.abs(Date.parse(paid_at) - Date.parse(day));
  return payments.toSorted((a, b) => distance(a) - distance(b));
}

/** Writes a day, or the day of a time; without a language, in the dashboard's. */
export type WriteDay = (at: string, language?: ClaimDetail["language"]) => string;

export function verdictOf(detail: ClaimDetail, dayOf: WriteDay): Verdict {
  const { claim, payments, language } = detail;
  const answer = answers[language];
  const payment = claimedPayment(detail);
  if (payment !== null) return verdictOfPayment(detail, payment);
  const [closest] = byDistance(payments, claim.paid_on);
  if (closest === undefined) {
    return { tone: "none", text: verdicts.nothing_known(claim.email), answer: answer.nothing_known };
  }
  return {
    tone: "none",
    text: verdicts.not_near(claim.email, dayOf(claim.paid_on), dayOf(closest.paid_at)),
    answer: answer.not_near(dayOf(claim.paid_on, language)),
  };
}

function verdictOfPayment(detail: ClaimDetail, payment: ClaimedPayment): Verdict {
  const name = nameOf(detail.claim.affiliate);
  const answer = answers[detail.language];
  switch (payment.obstacle) {
    case "earned_by_affiliate":
      return { tone: "done", text: verdicts.earned_by_affiliate(name), answer: answer.earned_by_affiliate };
    case "earned_by_other": {
      const other = payment.affiliate === null ? verdicts.somebody : nameOf(payment.affiliate);
      return { tone: "stopped", text: verdicts.earned_by_other(other), answer: answer.earned_by_other };
    }
    case "customer_of_other": {
      const other = detail.customer === null ? verdicts.somebody : nameOf(detail.customer.affiliate);
      return { tone: "stopped", text: verdicts.customer_of_other(other), answer: answer.customer_of_other };
    }
    case "manual_commission":
      return { tone: "done", text: verdicts.manual_commission, answer: answer.manual_commission };
    case null:
      return { tone: "warning", ...explainEvidence(payment, name, answer) };
  }
}

type Explanation = Pick<Verdict, "text" | "answer">;

type Answers = (typeof answers)["en"];

/** Explains why a payment that can be accepted earned nothing. */
function explainEvidence(
  { own_candidate, outcome }: ClaimedPayment,
  name: string,
  answer: Answers,
): Explanation {
  const by_rules = { text: sentences[outcome], answer: answer.outcomes[outcome] ?? answer.by_rules };
  switch (own_candidate?.result) {
    case "click_expired":
      return expiredClick(own_candidate, answer) ?? by_rules;
    case "click_after_checkout":
    case "existing_customer":
      return { text: verdicts[own_candidate.result], answer: answer[own_candidate.result] };
    case "affiliate_unapproved":
    case "affiliate_banned":
    case "self_referral":
      return { text: verdicts[own_candidate.result](name), answer: answer[own_candidate.result] };
    case "won":
    case "lost":
    case "unknown_code":
    case "unknown_click":
      return by_rules;
    case undefined:
      if (outcome !== "no_referral") return by_rules;
      return { text: verdicts.no_evidence(name), answer: answer.no_evidence };
  }
}

/** Null if the age of the click is unknown. */
function expiredClick(
  { age_days: age, cookie_duration: allowed }: NonNullable<ClaimedPayment["own_candidate"]>,
  answer: Answers,
): Explanation | null {
  if (age === null || allowed === null) return null;
  return { text: verdicts.click_expired(age, allowed), answer: answer.click_expired(age, allowed) };
}
