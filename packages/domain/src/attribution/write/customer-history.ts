import type {
  AttributedCommissionRow,
  AttributedReferralRow,
  ReferralSource,
} from "@findersfee/database/attribution/customers";
import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import { groupBy } from "../../group-by.ts";
import type {
  Correction,
  CustomerHistory,
  KnownPayment,
  KnownReferral,
  ManualCommission,
} from "../decide/history.ts";
import { decidedAs, handOver } from "../decide/known-decisions.ts";
import {
  customerKey,
  emailKey,
  emailsOf,
  type FactReference,
  readStoredReference,
  referenceOf,
} from "../facts/fact-names.ts";
import type { Relations } from "../facts/relate.ts";
import { affiliateSnapshot, type StoredFact } from "../facts/stored-fact.ts";
import type { Loaded } from "./load.ts";
import { withFurtherRates } from "./load-exchange-rates.ts";

/** The stored data of a customer before the customer is attributed again. */
export interface CustomerBefore {
  history: CustomerHistory;
  /** The decisions by payment. */
  decisions: ReadonlyMap<FactReference, StoredDecision>;
  /** Decisions of charges that turned out to pay something else. */
  replaced: readonly StoredDecision[];
  /** The commission of each payment, with its adjustments. */
  commissions: ReadonlyMap<string, AttributedCommissionRow[]>;
  /** Manual corrections by commission. */
  corrections: ReadonlyMap<string, Correction>;
  /** The commissions that have the payments, by the payments' names. */
  named: ReadonlyMap<string, string>;
  /** The commissions that payments created. */
  of_payments: ReadonlySet<string>;
  referrals: ReadonlyMap<string, AttributedReferralRow>;
  /** Other customers' referrals whose manual commissions its payments have. */
  referrals_of_others: readonly string[];
  /** Other customers whose payments had manual commissions that its payments have now. */
  former_customers: readonly string[];
  /** Of its clicks that are still stored. */
  sources: ReadonlyMap<string, ReferralSource>;
}

/** One customer's part of the loaded data. */
export function customerBefore(loaded: Loaded, facts: readonly StoredFact[]): CustomerBefore {
  const stored = new Map<FactReference, StoredDecision>();
  for (const reference of facts.map(decidedAs)) {
    const decision = loaded.decisions.get(reference);
    if (decision !== undefined) stored.set(reference, decision);
  }
  const relations = loaded.relationsOf(facts);
  const { decisions, replaced } = handOver(stored, relations.payments, {
    nameOfPayment: relations.nameOfPayment,
    namedBy: ({ commission_id }) => commissionOf(loaded, commission_id)?.processor_payment_id ?? null,
  });
  const referrals = referralsOf(loaded, facts, decisions);
  const own = new Set([...stored.values()].map(({ id }) => id));
  const payments = knownPayments(loaded, relations, { decisions, own });
  const manuals = [...payments.values()].flatMap(({ manual, repeated }) =>
    manual ? [manual, ...repeated] : [],
  );
  return {
    decisions,
    replaced,
    commissions: loaded.commissions,
    corrections: loaded.corrections,
    named: loaded.named,
    of_payments: loaded.of_payments,
    referrals,
    referrals_of_others: manuals.flatMap(({ referral_id }) =>
      referrals.has(referral_id) ? [] : referral_id,
    ),
    former_customers: manuals.flatMap(({ id }) =>
      ofOthers(id, loaded, own).map((other) => other.customer_id),
    ),
    sources: loaded.sources,
    history: {
      currency: loaded.organization.currency,
      facts,
      relations,
      referrals: [...referrals.values()].map(knownReferral),
      manual_commissions: [...referrals.keys()].flatMap((id) =>
        (loaded.by_hand.get(id) ?? []).map((row) => manualCommission(row, loaded)),
      ),
      manual_moves: loaded.manual_moves,
      payments_of_others: paymentsOfOthers(loaded, own),
      payments,
      candidatesOf: loaded.candidatesOf,
      unknownOf: loaded.unknownOf,
      affiliateOf: (id) => {
        const affiliate = loaded.affiliates.get(id);
        return affiliate === undefined ? undefined : affiliateSnapshot(affiliate, loaded, loaded.tiersOf(id));
      },
      ruleSetOf: loaded.ruleSetOf,
      observeOf: loaded.observeOf,
      exchangeRatesOf: (payment, { snapshot }) =>
        withFurtherRates(snapshot.exchange_rates, loaded.exchangeRatesOf(payment)),
    },
  };
}

/** The payments of other customers that have manual commissions; `own` has the decisions about this customer's. */
function paymentsOfOthers({ manuals_payments }: Loaded, own: ReadonlySet<string>) {
  if (manuals_payments.size === 0) return manuals_payments;
  return new Map([...manuals_payments].filter(([, { id }]) => !own.has(id)));
}

function commissionOf({ commissions }: Loaded, id: string | null): AttributedCommissionRow | undefined {
  return id === null ? undefined : commissions.get(id)?.find((row) => row.id === id);
}

function manualCommission(row: AttributedCommissionRow, { corrections }: Loaded): ManualCommission {
  const { id, referral_id, affiliate_id, currency, referral_date, created_at } = row;
  const correction = corrections.get(id) ?? null;
  return {
    id,
    referral_id,
    affiliate_id,
    currency,
    referral_date,
    created_at,
    // The row has their remainder.
    revenue_minor: correction?.revenue_minor ?? row.revenue_minor,
    commission_minor: correction?.commission_minor ?? row.commission_minor,
    included_minor: correction?.amounts_at ? correction.reversed_minor : 0n,
    correction,
  };
}

function referralsOf(
  { referrals }: Loaded,
  facts: readonly StoredFact[],
  decisions: ReadonlyMap<FactReference, StoredDecision>,
): Map<string, AttributedReferralRow> {
  const names = new Set<string>();
  for (const stored of facts) {
    const { fact } = stored;
    names.add(`bound:${referenceOf(stored)}`);
    names.add(`bound:${decidedAs(stored)}`);
    for (const email of emailsOf(stored)) names.add(emailKey(email));
    if ("customer_id" in fact && fact.customer_id !== null) names.add(customerKey(fact.customer_id));
  }
  for (const { referral_id } of decisions.values()) if (referral_id !== null) names.add(referral_id);
  const own = [...names].flatMap((name) => referrals.get(name) ?? []);
  // Oldest first, regardless of the name that found it.
  return new Map(own.sort((a, b) => (a.id < b.id ? -1 : 1)).map((referral) => [referral.id, referral]));
}

function knownReferral(row: AttributedReferralRow): KnownReferral {
  const { id, email, processor_customer_id, affiliate_id, moved_from, signup_date, attributed_by } = row;
  return {
    id,
    email,
    processor_customer_id,
    affiliate_id: moved_from ?? affiliate_id,
    signup_date,
    email_is_manual: row.email_is_manual,
    customer_id_is_manual: row.customer_id_is_manual,
    attributed_by: attributed_by === null ? null : readStoredReference(attributed_by),
  };
}

function knownPayments(
  loaded: Loaded,
  { payments, idsOf }: Relations,
  { decisions, own }: { decisions: Decisions; own: ReadonlySet<string> },
): Map<FactReference, KnownPayment> {
  const known = new Map<FactReference, KnownPayment>();
  const { named, corrections } = loaded;
  const manuals = manualsOf(loaded, { payments, idsOf }, { decisions, own });
  const current = new Set([...decisions.values()].map(({ id }) => id));
  const wasOf = (manual: string) => [
    ...ofOthers(manual, loaded, own).map(({ id }) => id),
    ...(loaded.manuals_decisions.get(manual) ?? []).flatMap(({ id }) => (current.has(id) ? id : [])),
  ];
  for (const payment of payments) {
    const reference = referenceOf(payment);
    const decision = decisions.get(reference);
    const commission_id = decision?.commission_id ?? null;
    const { subject } = payment.fact;
    const holders = holdersOf(loaded, payment, idsOf).filter((id) => id !== commission_id);
    const held = holders.filter((id) => manuals.get(id) === reference).sort();
    const [manual = null, ...repeated] = held.map((id) => {
      const commission = manualCommission(requireCommission(loaded, id), loaded);
      // Its amounts take the refunds of the payment into account that it had when they were set.
      const had_other = wasOf(id).some((other) => other !== decision?.id);
      return had_other && decision?.manual_commission_id !== id
        ? { ...commission, included_minor: 0n }
        : commission;
    });
    // Another payment's commission that was given this payment's id, or a payment of another processor with the same id.
    const holder = commissionOf(loaded, named.get(subject) ?? null);
    const is_other = holder !== undefined && of_other(holder);
    known.set(reference, {
      decided_first_at: decision?.created_at ?? null,
      referral_id: decision?.referral_id ?? null,
      commission_id,
      correction: commission_id === null ? null : (corrections.get(commission_id) ?? null),
      manual,
      repeated,
      kept_by: holders.find((id) => manuals.get(id) !== reference) ?? null,
      has_other_commission: is_other,
    });

    function of_other({ id, processor_payment_id }: AttributedCommissionRow): boolean {
      return id !== commission_id && processor_payment_id === subject;
    }
  }
  return known;
}

type Decisions = ReadonlyMap<FactReference, StoredDecision>;

function holdersOf({ named_manual }: Loaded, payment: StoredFact, idsOf: Relations["idsOf"]): string[] {
  if (named_manual.size === 0) return [];
  return [...new Set(idsOf(payment).flatMap((id) => named_manual.get(id) ?? []))];
}

/**
 * The payment of each manual commission that has names of these payments. It keeps the names that it had before somebody changed
 * its payment id, and is of one payment: the one whose name it shows, or else the one that it was of.
 */
function manualsOf(
  loaded: Loaded,
  { payments, idsOf }: Pick<Relations, "payments" | "idsOf">,
  { decisions, own }: { decisions: Decisions; own: ReadonlySet<string> },
): Map<string, FactReference> {
  const found = new Map<string, FactReference>();
  if (loaded.named_manual.size === 0) return found;
  const named = payments.flatMap((payment) =>
    holdersOf(loaded, payment, idsOf).map((id) => ({ id, payment, reference: referenceOf(payment) })),
  );
  for (const [id, all] of groupBy(named, (one) => one.id)) {
    const shown = commissionOf(loaded, id)?.processor_payment_id ?? null;
    const showing = all.find(({ payment }) => shown !== null && idsOf(payment).includes(shown));
    const kept = all.find(({ reference }) => decisions.get(reference)?.manual_commission_id === id);
    const is_of_other = ofOthers(id, loaded, own).length > 0 && (shown !== null || kept === undefined);
    if (showing === undefined && is_of_other) continue;
    const owner = showing ?? kept ?? all[0];
    if (owner !== undefined) found.set(id, owner.reference);
  }
  return found;
}

/** The decisions about other customers' payments that have a manual commission; `own` has those about this customer's. */
function ofOthers(id: string, { manuals_decisions }: Loaded, own: ReadonlySet<string>) {
  return (manuals_decisions.get(id) ?? []).filter((decision) => !own.has(decision.id));
}

function requireCommission(loaded: Loaded, id: string): AttributedCommissionRow {
  const row = commissionOf(loaded, id);
  if (row === undefined) throw new Error(`commission ${id} was not loaded`);
  return row;
}
