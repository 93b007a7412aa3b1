import type { CustomerHistory } from "../decide/history.ts";
import { decidedAs } from "../decide/known-decisions.ts";
import { type Lookup, lookupText, wantedLookups } from "../decide/lookups.ts";
import type { CustomerOutcome, PaymentOutcome } from "../decide/outcome.ts";
import { namesAnybody } from "../facts/named-candidates.ts";
import type { Judged } from "../facts/snapshot.ts";
import type { StoredEvent } from "../facts/stored-fact.ts";
import type { JudgedAffiliate } from "../facts/terms.ts";

/** The settings that a customer's events were judged by for the first time. */
export function newlyJudged(
  history: CustomerHistory,
  payments: readonly PaymentOutcome[],
  now: Date,
): Map<StoredEvent, Judged> {
  const paid = new Map(payments.map((outcome) => [outcome.reference, outcome]));
  const changed = new Map<StoredEvent, Judged>();
  for (const stored of history.events) {
    const judged = judgedNow(stored, { history, outcome: paid.get(decidedAs(stored)), now });
    const { candidates, affiliates, looked_at } = stored.judged;
    const is_same =
      judged.candidates.length === candidates.length &&
      judged.affiliates.length === affiliates.length &&
      judged.looked_at === looked_at;
    if (!is_same) changed.set(stored, judged);
  }
  return changed;
}

function judgedNow(
  stored: StoredEvent,
  {
    history,
    outcome,
    now,
  }: {
    history: CustomerHistory;
    /** Of the event's payment. */
    outcome: PaymentOutcome | undefined;
    now: Date;
  },
): Judged {
  const { judged } = stored;
  const candidates = history.candidatesOf(stored);
  const affiliates = [...judged.affiliates];
  const add = (affiliate: JudgedAffiliate | undefined) => {
    const is_known = affiliates.some(({ affiliate_id }) => affiliate_id === affiliate?.affiliate_id);
    if (affiliate !== undefined && !is_known) affiliates.push(affiliate);
  };
  for (const { affiliate_id } of candidates) add(history.affiliateOf(affiliate_id));
  if (outcome?.affiliate) add(outcome.affiliate);
  // A payment without a referral stays without one, also when a candidate is approved later.
  else if (outcome !== undefined) {
    for (const { affiliate_id } of outcome.explanation.candidates) {
      if (affiliate_id !== null) add(history.affiliateOf(affiliate_id));
    }
  }
  const looked_at = judged.looked_at ?? (namesAnybody(stored) ? now : null);
  return { candidates: [...candidates], affiliates, looked_at };
}

/** The lookups that a customer's events wait for, for events where that changed. Null: none any more. */
export function changedLookups(
  history: CustomerHistory,
  outcome: CustomerOutcome,
): Map<StoredEvent, Lookup | null> {
  const wanted = wantedLookups(history, outcome);
  const changed = new Map<StoredEvent, Lookup | null>();
  for (const stored of history.events) {
    const lookup = wanted.get(stored) ?? null;
    const text = lookup === null ? null : lookupText(lookup);
    if (text !== (stored.lookup ?? null)) changed.set(stored, lookup);
  }
  return changed;
}
