import type { paymentOutcomes } from "@findersfee/contract/attribution/payment-decisions";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import { toMajor } from "../money.ts";
import { outcomeName } from "./view.ts";

/** The decision about a payment. `commission_amount` is in major units, before any reversal. */
interface Decided {
  outcome: keyof typeof paymentOutcomes;
  commission_amount: number;
  affiliate_id: string | null;
}

interface ChangedPayment {
  id: string;
  processor_payment_id: string;
  paid_at: string;
  currency: string;
  before: Decided;
  after: Decided;
}

/** A customer's payments with a decision that differs from the previous one, the latest first. */
export function changedPayments(
  before: readonly StoredDecision[],
  after: readonly StoredDecision[],
): ChangedPayment[] {
  const former = new Map(before.map((decision) => [decision.id, decision]));
  return after
    .filter(({ replaced_at }) => replaced_at === null)
    .sort((a, b) => b.paid_at.getTime() - a.paid_at.getTime() || (a.id < b.id ? 1 : -1))
    .flatMap((decision) => {
      const [was, is] = [viewDecided(former.get(decision.id) ?? decision), viewDecided(decision)];
      if (JSON.stringify(was) === JSON.stringify(is)) return [];
      const { id, payment_id: processor_payment_id, paid_at, currency } = decision;
      return [{ id, processor_payment_id, paid_at: paid_at.toISOString(), currency, before: was, after: is }];
    });
}

function viewDecided({ outcome, commission_minor, currency, affiliate_id }: StoredDecision): Decided {
  return {
    outcome: outcomeName.parse(outcome),
    commission_amount: toMajor(commission_minor, currency),
    affiliate_id,
  };
}
