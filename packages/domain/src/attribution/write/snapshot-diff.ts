import type { ExchangeRate } from "../../exchange-rates/rate.ts";
import type { CustomerHistory } from "../decide/history.ts";
import { decidedAs } from "../decide/known-decisions.ts";
import { type Lookup, lookupText, wantedLookups } from "../decide/lookups.ts";
import type { CustomerOutcome, PaymentOutcome } from "../decide/outcome.ts";
import { namesAnybody } from "../facts/named-candidates.ts";
import { type AffiliateSnapshot, captured, type Snapshot, type StoredFact } from "../facts/stored-fact.ts";
import { withFurtherRates } from "./load-exchange-rates.ts";

/** The new snapshots of a customer's facts. */
export function newSnapshots(
  history: CustomerHistory,
  payments: readonly PaymentOutcome[],
  now: Date,
): Map<StoredFact, Snapshot> {
  const paid = new Map(payments.map((outcome) => [outcome.reference, outcome]));
  const changed = new Map<StoredFact, Snapshot>();
  for (const stored of history.facts) {
    const snapshot = snapshotOf(stored, { history, outcome: paid.get(decidedAs(stored)), now });
    const { candidates, affiliates, captured_at } = stored.snapshot;
    const is_same =
      snapshot.candidates.length === candidates.length &&
      snapshot.affiliates.length === affiliates.length &&
      snapshot.captured_at === captured_at &&
      snapshot.exchange_rates === stored.snapshot.exchange_rates &&
      countOf(snapshot.observed) === countOf(stored.snapshot.observed);
    if (!is_same) changed.set(stored, snapshot);
  }
  return changed;
}

function snapshotOf(
  stored: StoredFact,
  {
    history,
    outcome,
    now,
  }: {
    history: CustomerHistory;
    /** The referral of the fact's payment. */
    outcome: PaymentOutcome | undefined;
    now: Date;
  },
): Snapshot {
  const { snapshot } = stored;
  const candidates = history.candidatesOf(stored);
  const affiliates = [...snapshot.affiliates];
  const add = (affiliate: AffiliateSnapshot | undefined) => {
    const is_known = affiliates.some(({ affiliate_id }) => affiliate_id === affiliate?.affiliate_id);
    if (affiliate !== undefined && !is_known) affiliates.push(captured(affiliate, stored.fact));
  };
  for (const { affiliate_id } of candidates) add(history.affiliateOf(affiliate_id));
  if (outcome?.affiliate) add(outcome.affiliate);
  // A payment without a referral stays without one, even if a candidate is approved later.
  else if (outcome !== undefined) {
    for (const { affiliate_id } of outcome.explanation.candidates) {
      if (affiliate_id !== null) add(history.affiliateOf(affiliate_id));
    }
  }
  const captured_at = snapshot.captured_at ?? (namesAnybody(stored) ? now : null);
  const exchange_rates = keptRates(snapshot.exchange_rates, outcome && usedExchangeRates(outcome));
  const observed = { ...outcome?.observed, ...snapshot.observed };
  return {
    candidates: [...candidates],
    affiliates,
    captured_at,
    ...(exchange_rates !== undefined && { exchange_rates }),
    ...(countOf(observed) > 0 && { observed }),
  };
}

/** The rates that a decision used first stay. */
function keptRates(
  kept: ExchangeRate[] | undefined,
  used: ExchangeRate[] | undefined,
): ExchangeRate[] | undefined {
  return used === undefined ? kept : [...withFurtherRates(kept, used)];
}

function countOf(observed: Snapshot["observed"]): number {
  return observed === undefined ? 0 : Object.keys(observed).length;
}

/** A later correction of a rate changes no decision. */
function usedExchangeRates({ explanation: { steps } }: PaymentOutcome): ExchangeRate[] | undefined {
  const used = steps.flatMap(({ conversion }) => conversion ?? []);
  if (used.length === 0) return undefined;
  return [...new Map(used.flatMap(({ rates }) => rates).map((rate) => [rate.currency, rate])).values()];
}

/** The changed lookups of a customer's facts. Null: none any more. */
export function changedLookups(
  history: CustomerHistory,
  outcome: CustomerOutcome,
): Map<StoredFact, Lookup | null> {
  const wanted = wantedLookups(history, outcome);
  const changed = new Map<StoredFact, Lookup | null>();
  for (const stored of history.facts) {
    const lookup = wanted.get(stored) ?? null;
    const text = lookup === null ? null : lookupText(lookup);
    if (text !== (stored.lookup ?? null)) changed.set(stored, lookup);
  }
  return changed;
}
