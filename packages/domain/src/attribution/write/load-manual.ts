import {
  type AttributedCommissionRow,
  type AttributedReferralRow,
  findCustomersReferrals,
} from "@findersfee/database/attribution/customers";
import { findManualsPayments, type ManualsPayment } from "@findersfee/database/attribution/decisions";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { listCustomersOverrides } from "@findersfee/database/attribution/overrides";
import type { Connection } from "@findersfee/database/postgres/connect";
import { referralKeys } from "../facts/fact-names.ts";
import type { OverrideFact } from "../facts/payment-fact.ts";
import { readStoredFact, type StoredFact } from "../facts/stored-fact.ts";

/**
 * A manual commission can be of one customer's referral and have another customer's payment. The referral's customer decides who
 * has it, by its moves; the payment's customer decides what remains of it.
 */
export interface ManualOfOthers {
  /** The payments that have manual commissions, by the commission: of those that somebody moved. */
  manuals_payments: ReadonlyMap<string, ManualsPayment>;
  /** The moves that list manual commissions, of all customers. */
  manual_moves: readonly OverrideFact[];
}

export async function loadManualOfOthers(
  sql: Connection,
  organizationId: string,
  {
    facts,
    referrals,
    by_hand,
  }: {
    facts: readonly StoredFact[];
    referrals: readonly AttributedReferralRow[];
    /** The manual commissions of the customers' referrals and payments. */
    by_hand: readonly AttributedCommissionRow[];
  },
): Promise<ManualOfOthers> {
  if (by_hand.length === 0) return NONE;
  const own = facts.flatMap(({ fact }) => (fact.kind === "override" ? fact : []));
  const known = new Set(referrals.map(({ id }) => id));
  const others = by_hand.flatMap(({ referral_id }) => (known.has(referral_id) ? [] : referral_id));
  const stored = await findOverrides(sql, organizationId, [...new Set(others)]);
  // Own ones may have a newer state than the stored one.
  const overrides = new Map([...stored, ...own].map((fact) => [fact.subject, fact]));
  const manual_moves = [...overrides.values()].filter(({ commissions }) => commissions.length > 0);
  const listed = new Set(manual_moves.flatMap(({ commissions }) => commissions.map(({ id }) => id)));
  const moved = by_hand.flatMap(({ id }) => (listed.has(id) ? id : []));
  const payments = await findManualsPayments(sql, organizationId, moved);
  return {
    manual_moves,
    manuals_payments: new Map(
      payments.flatMap((payment) => {
        const id = payment.manual_commission_id;
        return id === null ? [] : [[id, payment] as const];
      }),
    ),
  };
}

const NONE: ManualOfOthers = { manuals_payments: new Map(), manual_moves: [] };

/** The overrides of the customers of these referrals. */
async function findOverrides(
  sql: Connection,
  organizationId: string,
  ids: string[],
): Promise<OverrideFact[]> {
  if (ids.length === 0) return [];
  const none = { emails: [], customer_ids: [], attributed_by: [] };
  const rows = await findCustomersReferrals(sql, organizationId, { ...none, ids, lock: false });
  const customers = await findCustomerKeys(sql, organizationId, rows.flatMap(referralKeys));
  const overrides = await listCustomersOverrides(sql, organizationId, [...new Set(customers.values())]);
  return overrides.flatMap(({ data }) => {
    const fact = readStoredFact(data);
    return fact.kind === "override" ? fact : [];
  });
}
