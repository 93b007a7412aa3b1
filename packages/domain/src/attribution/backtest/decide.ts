import type { BacktestTotal } from "@findersfee/database/attribution/backtests";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import type { CustomerHistory } from "../decide/history.ts";
import type { PaymentOutcome } from "../decide/outcome.ts";
import { reattributeCustomer } from "../decide/reattribute.ts";
import type { FactReference } from "../facts/fact-names.ts";
import { type Draft, type DraftSources, isDrafted, isInPeriod, withDraft } from "./draft.ts";

/** A payment of the period as it is decided now, and as the draft decides it. */
export interface TriedPayment {
  decision_id: string | null;
  affiliate_id: string;
  before: PaymentOutcome;
  after: PaymentOutcome;
  is_changed: boolean;
  waits: WaitsForReview;
}

/** Whether the commission of a payment waits for a review, by the present settings and by the draft's. */
export interface WaitsForReview {
  before: boolean;
  after: boolean;
}

interface TriedBy extends DraftSources {
  draft: Draft;
  decisions: ReadonlyMap<FactReference, StoredDecision>;
  waits: (
    payment: Pick<TriedPayment, "before" | "after"> & { commission_id: string | null },
  ) => WaitsForReview;
}

/**
 * The payments of a customer that a draft decides, or changes by the payments before. Both sides are decided now from the same
 * facts, so the draft is the only difference.
 */
export function tryDraft(
  history: CustomerHistory,
  { draft, decisions, waits, ...sources }: TriedBy,
): TriedPayment[] {
  const before = reattributeCustomer(history).payments;
  const isTried = ({ payment: { paid_at } }: PaymentOutcome) => isInPeriod(draft, paid_at);
  const isOfDraft = (outcome: PaymentOutcome) =>
    isTried(outcome) && outcome.affiliate !== null && isDrafted(draft, outcome.affiliate);
  if (!before.some(isOfDraft)) return [];
  const after = new Map(
    reattributeCustomer(withDraft(history, draft, sources)).payments.map((outcome) => [
      outcome.reference,
      outcome,
    ]),
  );
  return before.flatMap((was) => {
    const is = after.get(was.reference);
    if (is === undefined || was.affiliate === null || !isTried(was)) return [];
    const is_changed = was.outcome !== is.outcome || was.commission_minor !== is.commission_minor;
    const is_other = netOf(was) !== netOf(is);
    if (!isOfDraft(was) && !is_changed && !is_other) return [];
    const { id: decision_id = null, commission_id = null } = decisions.get(was.reference) ?? {};
    return {
      decision_id,
      affiliate_id: was.affiliate.affiliate_id,
      before: was,
      after: is,
      is_changed: is_changed || is_other,
      waits: waits({ before: was, after: is, commission_id }),
    };
  });
}

/** The commission of a payment after refunds, in minor units. */
export function netOf({ netAmounts }: PaymentOutcome): bigint {
  return netAmounts?.commission_minor ?? 0n;
}

export function addToTotals(totals: Map<string, BacktestTotal>, payment: TriedPayment): void {
  const { affiliate_id, before, after, is_changed } = payment;
  const { paid_at, currency } = before.payment;
  const month = `${paid_at.toISOString().slice(0, 7)}-01`;
  const key = `${affiliate_id} ${month} ${currency}`;
  const sum = totals.get(key);
  totals.set(key, {
    affiliate_id,
    month,
    currency,
    payments: (sum?.payments ?? 0) + 1,
    changed: (sum?.changed ?? 0) + (is_changed ? 1 : 0),
    before_minor: (sum?.before_minor ?? 0n) + netOf(before),
    after_minor: (sum?.after_minor ?? 0n) + netOf(after),
  });
}
