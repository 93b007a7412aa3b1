import { overrideTypes } from "@findersfee/contract/attribution/overrides";
import {
  candidateResults,
  candidateSources,
  earningRules,
} from "@findersfee/contract/attribution/payment-decisions";
import { z } from "zod";
import type { Explanation } from "../decide/outcome.ts";

const minor = z.string().transform(BigInt);

const exchangeRateSchema = z.object({
  currency: z.string(),
  rate: z.string(),
  source: z.string(),
  day: z.string(),
});

const explanationSchema = z.object({
  candidates: z.array(
    z.object({
      source: z.enum(candidateSources),
      reference: z.string(),
      affiliate_id: z.string().nullable(),
      result: z.enum(candidateResults),
    }),
  ),
  earned_before: z.number(),
  steps: z.array(
    z.object({
      rule: z.enum(earningRules),
      rule_id: z.string().exactOptional(),
      rule_name: z.string().exactOptional(),
      product_id: z.string().exactOptional(),
      type: z.enum(["percentage", "fixed"]),
      value: minor,
      currency: z.string().exactOptional(),
      of_minor: minor,
      conversion: z
        .object({ amount_minor: minor, rate: z.string(), rates: z.array(exchangeRateSchema) })
        .exactOptional(),
    }),
  ),
  exact: z.string().nullable(),
  override: z
    .object({ id: z.string(), type: z.enum(overrideTypes), created_by: z.string(), created_at: z.string() })
    .exactOptional(),
});

/** The stored text. Equal explanations have equal texts, so that texts can be compared. */
export function writeExplanation(explanation: Explanation): string {
  const steps = explanation.steps.map((step) => ({
    ...step,
    value: String(step.value),
    of_minor: String(step.of_minor),
    ...(step.conversion && {
      conversion: { ...step.conversion, amount_minor: String(step.conversion.amount_minor) },
    }),
  }));
  return JSON.stringify({ ...explanation, steps });
}

export function readExplanation(stored: unknown): Explanation {
  return explanationSchema.parse(stored);
}
