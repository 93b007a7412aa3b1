import { explainWrongReference, wrongReferenceIn } from "@findersfee/contract/attribution/click-ids";
import {
  type DryRun,
  type EarningStep,
  type PaymentDecision,
  paymentOutcomes,
} from "@findersfee/contract/attribution/payment-decisions";
import type { PaymentDecisionRow } from "@findersfee/database/attribution/decisions";
import type { AuditedFields } from "@findersfee/database/audit-log/entries";
import { z } from "zod";
import type { Conversion } from "../exchange-rates/convert.ts";
import { toMajor, toPercent } from "../money.ts";
import type { Explanation } from "./decide/outcome.ts";
import { readExplanation } from "./write/explanation.ts";
import { readProcessor } from "./write/load.ts";

export const outcomeName = z.custom<keyof typeof paymentOutcomes>(
  (name) => typeof name === "string" && Object.hasOwn(paymentOutcomes, name),
);

/** A decision as the dashboard shows it. `fixed_currency` is the organization's. */
export function viewPaymentDecision(row: PaymentDecisionRow, fixed_currency: string): PaymentDecision {
  const { currency } = row;
  return {
    id: row.id,
    processor: readProcessor(row.processor),
    processor_payment_id: row.payment_id,
    ...viewDecided(row, readExplanation(row.explanation), fixed_currency),
    paid_amount: toMajor(row.paid_minor, currency),
    taken_back_amount: toMajor(row.reversed_minor, currency),
    commission_id: row.commission_id,
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at.toISOString(),
  };
}

export type DecidedPayment = Pick<
  PaymentDecisionRow,
  "outcome" | "currency" | "revenue_minor" | "commission_minor" | "paid_at" | "affiliate_id" | "referral_id"
>;

type DecidedView = Omit<DryRun, "without_products">;

/** The content of a decision, including a dry run's. */
export function viewDecided(
  decided: DecidedPayment,
  explanation: Explanation,
  fixed_currency: string,
): DecidedView {
  const { currency, affiliate_id, referral_id } = decided;
  const outcome = outcomeName.parse(decided.outcome);
  return {
    outcome,
    reason: reasonOf(outcome, explanation),
    revenue_amount: toMajor(decided.revenue_minor, currency),
    currency,
    commission_amount: toMajor(decided.commission_minor, currency),
    paid_at: decided.paid_at.toISOString(),
    affiliate_id,
    referral_id,
    explanation: {
      candidates: explanation.candidates,
      earned_before: explanation.earned_before,
      steps: viewEarningSteps(explanation, { currency, fixed_currency }),
      exact_amount: explanation.exact,
      override: explanation.override ?? null,
    },
  };
}

function reasonOf(outcome: keyof typeof paymentOutcomes, { candidates }: Explanation): string {
  const wrong = outcome === "no_referral" ? wrongReferenceIn(candidates) : null;
  const reason = paymentOutcomes[outcome];
  return wrong === null ? reason : `${reason} ${explainWrongReference(wrong)}`;
}

interface Currencies {
  /** The payment's. */
  currency: string;
  /** The organization's, in which fixed amounts are. */
  fixed_currency: string;
}

/** The steps of a calculation, in major units. */
export function viewEarningSteps(
  { steps }: Pick<Explanation, "steps">,
  { currency, fixed_currency }: Currencies,
): EarningStep[] {
  return steps.map((step) => {
    const { rule, rule_id, rule_name, product_id = null, type, value, of_minor, conversion } = step;
    const currency_of_amount = rule === "commission_cap" ? currency : (step.currency ?? fixed_currency);
    return {
      rule,
      ...(rule_id !== undefined && { rule_id, rule_name: rule_name ?? null }),
      product_id,
      type,
      amount: type === "fixed" ? toMajor(value, currency_of_amount) : toPercent(value),
      ...(step.currency !== undefined && { currency: step.currency }),
      of_amount: toMajor(of_minor, currency),
      conversion: conversion === undefined ? null : viewConversion(conversion, currency),
    };
  });
}

function viewConversion(
  { amount_minor, rate, rates }: Conversion,
  currency: string,
): EarningStep["conversion"] {
  return { amount: toMajor(amount_minor, currency), currency, rate, exchange_rates: rates };
}

/** The rates that a stored explanation applied. */
export function viewSteps(stored: unknown, currencies: Currencies): EarningStep[] {
  return viewEarningSteps(readExplanation(stored), currencies);
}

/** The fields in the audit log. */
export function paymentDecisionFields(row: PaymentDecisionRow): AuditedFields {
  return {
    outcome: row.outcome,
    affiliate_id: row.affiliate_id,
    referral_id: row.referral_id,
    commission_id: row.commission_id,
    commission_amount: toMajor(row.commission_minor, row.currency),
  };
}
