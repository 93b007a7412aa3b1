import { DAY, type History, type Step } from "./history.ts";
import { checkout, history, once, payment } from "./sample-histories.ts";

/** A kind of history in which the service contradicts the documents. */
export interface Fault {
  /** The smallest history that shows it. While the service has the fault, it must disagree with the model on it. */
  example: History;
  /** Changes a history so that it does not show the fault. */
  without: (history: History) => History;
}

/**
 * Faults of the service that are known and not mended yet, by name. The generator leaves them out. To mend one, move its
 * example to those in examples.ts.
 */
export const FAULTS: Readonly<Record<string, Fault>> = {
  /** A manual commission still counts for a limit in payments after a refund of its payment, which is another customer's, voided it. */
  limit_counts_void_manual_of_other: {
    example: history(
      [
        checkout({ at: -30 * DAY }),
        payment({ customer: 1, at: -20 * DAY }),
        { kind: "manual", customer: 0, payment: 0, by_other_name: false, amount: 1000, days_ago: 20 },
        once({ kind: "refund", payment: 0, at: DAY, percent: 100, fails: false }),
        payment({ name: 1, at: 3 * DAY }),
      ],
      { customers: ["both", "both"], terms: { limit: { type: "payments", amount: 1 } } },
    ),
    without: (all) => ({
      ...all,
      steps: all.steps.map((step) =>
        step.kind === "manual" && isReversedOfOther(all, step) ? { ...step, payment: null } : step,
      ),
    }),
  },
};

function isReversedOfOther(
  { campaigns, steps }: History,
  { customer, payment: name }: Extract<Step, { kind: "manual" }>,
): boolean {
  const is_of_other = steps.some(
    (step) => step.kind === "payment" && step.name === name && step.customer !== customer,
  );
  const is_reversed = steps.some(
    (step) => (step.kind === "refund" || step.kind === "dispute") && step.payment === name,
  );
  return is_of_other && is_reversed && campaigns.some(({ limit }) => limit?.type === "payments");
}

/** `MODEL_FAULTS=all`, or some of them, lets the generator make these histories. */
export function includedFaults(names: string | undefined): ReadonlySet<Fault> {
  if (names === undefined) return new Set();
  if (names === "all") return new Set(Object.values(FAULTS));
  return new Set(
    names.split(",").map((name) => {
      const fault = FAULTS[name];
      if (fault === undefined) throw new Error(`${name} is not a known fault`);
      return fault;
    }),
  );
}
