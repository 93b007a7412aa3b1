import {
  type AttributedCommissionRow,
  type AttributedReferralRow,
  findCustomersReferrals,
} from "@findersfee/database/attribution/customers";
import type { CommissionsDecision } from "@findersfee/database/attribution/decisions";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { listCustomersOverrides } from "@findersfee/database/attribution/overrides";
import type { Connection } from "@findersfee/database/postgres/connect";
import { groupBy } from "../../group-by.ts";
import type { PaymentOfOther } from "../decide/history.ts";
import { type FactReference, referenceOf, referralKeys } from "../facts/fact-names.ts";
import type { OverrideFact } from "../facts/payment-fact.ts";
import { reversedAmountAt } from "../facts/refunds.ts";
import { relate } from "../facts/relate.ts";
import { readStoredFact, type StoredFact } from "../facts/stored-fact.ts";
import { loadFacts } from "./load-facts.ts";

/**
 * A manual commission can be of one customer's referral and have another customer's payment. The referral's customer decides who
 * has it, by its moves, and counts it for its limit; the payment's customer decides what remains of it.
 */
export interface ManualOfOthers {
  /** The payments that have manual commissions of the customers' referrals, by the commission, with the decision. */
  manuals_payments: ReadonlyMap<string, PaymentOfOther & { id: string }>;
  /** The moves that list manual commissions, of all customers. */
  manual_moves: readonly OverrideFact[];
}

interface Customers {
  facts: readonly StoredFact[];
  referrals: readonly AttributedReferralRow[];
  /** The manual commissions of the customers' referrals and payments. */
  by_hand: readonly AttributedCommissionRow[];
  /** The decisions about payments that they have. */
  decided: readonly CommissionsDecision[];
  /** Of these customers and others, with those that are not stored yet. */
  known_facts: ReadonlyMap<string, StoredFact[]>;
}

export async function loadManualOfOthers(
  sql: Connection,
  organizationId: string,
  { facts, referrals, by_hand, decided, known_facts }: Customers,
): Promise<ManualOfOthers> {
  const own = facts.flatMap(({ fact }) => (fact.kind === "override" ? fact : []));
  const known = new Set(referrals.map(({ id }) => id));
  const others = by_hand.flatMap(({ referral_id }) => (known.has(referral_id) ? [] : referral_id));
  const stored = await findOverrides(sql, organizationId, [...new Set(others)]);
  // Own ones may have a newer state than the stored one.
  const overrides = new Map([...stored, ...own].map((fact) => [fact.subject, fact]));
  const manual_moves = [...overrides.values()].filter(({ commissions }) => commissions.length > 0);
  const manuals = new Set(by_hand.flatMap(({ id, referral_id }) => (known.has(referral_id) ? id : [])));
  const decisions = decided.filter(({ of_id, is_manual }) => is_manual && manuals.has(of_id));
  const by_customer = groupBy(decisions, ({ customer_id }) => customer_id);
  const unknown = [...by_customer.keys()].filter((id) => !known_facts.has(id));
  const loaded = unknown.length === 0 ? [] : await loadFacts(sql, organizationId, unknown);
  const all_facts = new Map([...known_facts, ...loaded]);
  const payments = [...by_customer].flatMap(([customer_id, of_customer]) =>
    paymentsOf(of_customer, all_facts.get(customer_id) ?? []),
  );
  return { manual_moves, manuals_payments: new Map(payments) };
}

/** One customer's payments that have manual commissions, by the commission. */
function paymentsOf(
  decisions: readonly CommissionsDecision[],
  facts: readonly StoredFact[],
): [string, PaymentOfOther & { id: string }][] {
  const { payments, reversalsOf } = relate(facts);
  const by_reference = new Map(payments.map((payment) => [referenceOf(payment), payment]));
  return decisions.map(({ of_id, id, processor, payment_id, paid_minor, reversed_minor }) => {
    const payment = by_reference.get(`${processor}:payment:${payment_id}` as FactReference);
    const decided = { paid_minor, reversedAt: () => reversed_minor };
    // It is part of another payment now, whose decision takes its place as soon as its customer is decided.
    if (payment === undefined) return [of_id, { id, ...decided, decided }];
    const reversals = reversalsOf(payment);
    const reversedAt = (moment: Date | null) => reversedAmountAt(payment.fact, reversals, moment);
    return [of_id, { id, paid_minor: payment.fact.paid_minor, reversedAt, decided }];
  });
}

/** The overrides of the customers of these referrals. */
async function findOverrides(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<OverrideFact[]> {
  if (ids.length === 0) return [];
  const customers = await findReferralsCustomers(sql, organizationId, ids);
  const overrides = await listCustomersOverrides(sql, organizationId, customers);
  return overrides.flatMap(({ data }) => {
    const fact = readStoredFact(data);
    return fact.kind === "override" ? fact : [];
  });
}

/** The customers whose referrals these are. */
export async function findReferralsCustomers(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<string[]> {
  const none = { emails: [], customer_ids: [], attributed_by: [] };
  const rows = await findCustomersReferrals(sql, organizationId, { ...none, ids, lock: false });
  const customers = await findCustomerKeys(sql, organizationId, rows.flatMap(referralKeys));
  return [...new Set(customers.values())];
}
