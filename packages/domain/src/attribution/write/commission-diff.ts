import type { AttributedCommissionRow } from "@findersfee/database/attribution/customers";
import { newId } from "../../ids.ts";
import { isInPayout, isSameCommission } from "../../ledger/commission-state.ts";
import type { Correction, ManualCommission } from "../decide/history.ts";
import type { ManualOutcome, PaymentOutcome } from "../decide/outcome.ts";
import { type FactReference, referenceOf } from "../facts/fact-names.ts";
import type { CommissionAmounts } from "../facts/refunds.ts";
import type { CustomerBefore } from "./customer-history.ts";
import type { PendingWrites } from "./pending-writes.ts";

export interface CommissionChange {
  added: AttributedCommissionRow[];
  changed: AttributedCommissionRow[];
}

const NO_CHANGE: CommissionChange = { added: [], changed: [] };

/**
 * Returns the changes that bring a payment's commission to its computed state. A commission in no payout is changed
 * directly. A commission in a payout stays unchanged: the difference is added as an adjustment, a separate commission
 * that is negative or positive and names the original, and the next payout nets it.
 */
export function commissionChange(
  outcome: PaymentOutcome,
  {
    stored,
    decided_as,
    correction,
    referral_id,
    now,
  }: {
    /** The payment's commission and its adjustments. */
    stored: readonly AttributedCommissionRow[];
    /**
     * The current and former payment ids of the stored decision. A former one is the id of a charge that its invoice or
     * checkout took over.
     */
    decided_as: readonly string[];
    correction: Correction | null;
    /** The affiliate of the outcome's referral. */
    referral_id: string | null;
    now: Date;
  },
): CommissionChange {
  const original = stored.find(({ reversal_of }) => reversal_of === null);
  if (original === undefined) {
    const commission = newCommission(outcome, { referral_id, now });
    return commission === null ? NO_CHANGE : { added: [commission], changed: [] };
  }
  if (stored.length === 1 && !isInPayout(original)) {
    const changed = changedCommission(original, outcome, { decided_as, correction, referral_id });
    return isSameCommission(original, changed) ? NO_CHANGE : { added: [], changed: [changed] };
  }
  if (outcome.outcome !== "commission" && isRestored(correction, outcome)) return NO_CHANGE;
  return { added: differences(original, outcome, { stored, referral_id, now }), changed: [] };
}

/**
 * The changes that bring a manual commission, or a lead's, to its present rest and affiliate. It keeps its
 * customer and currency, and without a `referral_date` its date.
 */
export function manualChange(
  {
    commission,
    affiliate_id,
    netAmounts,
    referral_date,
  }: Pick<ManualOutcome, "affiliate_id" | "netAmounts"> & {
    commission: Pick<ManualCommission, "id" | keyof CommissionAmounts>;
    referral_date?: Date;
  },
  { stored, now }: { stored: readonly AttributedCommissionRow[]; now: Date },
): CommissionChange {
  const original = stored.find(({ reversal_of }) => reversal_of === null);
  if (original === undefined) throw new Error(`commission ${commission.id} was not loaded`);
  if (stored.length === 1 && !isInPayout(original)) {
    const { revenue_minor, commission_minor } = netAmounts ?? commission;
    const payout_status = netAmounts === null ? "voided" : "not_paid";
    const changed: AttributedCommissionRow = {
      ...original,
      affiliate_id,
      revenue_minor,
      commission_minor,
      payout_status,
      referral_date: referral_date ?? original.referral_date,
    };
    return isSameCommission(original, changed) ? NO_CHANGE : { added: [], changed: [changed] };
  }
  const { referral_id, currency } = original;
  const left = {
    outcome: "commission",
    payment: { currency },
    affiliate: { affiliate_id },
    netAmounts,
  } as const;
  return { added: differences(original, left, { stored, referral_id, now }), changed: [] };
}

/** The changes that void a commission after its payment got another one. */
export function withdrawnCommission({
  stored,
  currency,
  now,
}: {
  stored: readonly AttributedCommissionRow[];
  currency: string;
  now: Date;
}): CommissionChange {
  const original = stored.find(({ reversal_of }) => reversal_of === null);
  if (original === undefined) return NO_CHANGE;
  if (stored.length === 1 && !isInPayout(original)) {
    const is_void = original.payout_status === "voided";
    return is_void ? NO_CHANGE : { added: [], changed: [{ ...original, payout_status: "voided" }] };
  }
  const nothing = {
    outcome: "no_referral",
    payment: { currency },
    affiliate: null,
    netAmounts: null,
  } as const;
  return { added: differences(original, nothing, { stored, referral_id: null, now }), changed: [] };
}

/**
 * Whether a void commission was restored manually. It stays, also after it was paid, although no payment earns it, unless
 * a manual commission has the payment.
 */
function isRestored(correction: Correction | null, { manual }: PaymentOutcome): boolean {
  return correction?.voided === false && manual === null;
}

/** Whether a commission is in a payout. */
export function isLocked({ payout_status }: AttributedCommissionRow): boolean {
  return payout_status === "pending" || payout_status === "paid";
}

/** A commission of a fully refunded payment is created as void, because the payment earned it once. */
function newCommission(
  { outcome, payment, affiliate, commission_minor, netAmounts }: PaymentOutcome,
  { referral_id, now }: { referral_id: string | null; now: Date },
): AttributedCommissionRow | null {
  if (outcome !== "commission" || affiliate === null || referral_id === null) return null;
  const { revenue_minor, currency, paid_at, subject } = payment;
  return {
    id: newId(now),
    affiliate_id: affiliate.affiliate_id,
    referral_id,
    ...(netAmounts ?? { revenue_minor, commission_minor }),
    currency,
    payout_status: netAmounts === null ? "voided" : "not_paid",
    referral_date: paid_at,
    processor_payment_id: subject,
    reversal_of: null,
    lead: null,
    recruit_commission_id: null,
    created_at: now,
  };
}

function changedCommission(
  before: AttributedCommissionRow,
  of: PaymentOutcome,
  {
    decided_as,
    correction,
    referral_id,
  }: { decided_as: readonly string[]; correction: Correction | null; referral_id: string | null },
): AttributedCommissionRow {
  const { outcome, payment, affiliate, commission_minor, netAmounts } = of;
  if (outcome !== "commission" || affiliate === null || referral_id === null) {
    return { ...before, payout_status: isRestored(correction, of) ? "not_paid" : "voided" };
  }
  // A void commission shows the amounts that it would have.
  const whole = {
    revenue_minor: correction?.revenue_minor ?? payment.revenue_minor,
    commission_minor: correction?.commission_minor ?? commission_minor,
  };
  const { revenue_minor, commission_minor: left } = netAmounts ?? whole;
  return {
    ...before,
    affiliate_id: affiliate.affiliate_id,
    referral_id,
    revenue_minor,
    commission_minor: left,
    currency: payment.currency,
    // A payment id that was set manually stays. A void commission stores a charge's id until it earns again.
    processor_payment_id: decided_as.some((id) => id === before.processor_payment_id)
      ? payment.subject
      : before.processor_payment_id,
    payout_status: netAmounts === null ? "voided" : "not_paid",
    referral_date: correction?.referral_date ?? payment.paid_at,
  };
}

/** The missing or excess amount of each affiliate. */
function differences(
  original: AttributedCommissionRow,
  {
    outcome,
    payment,
    affiliate,
    netAmounts,
  }: Pick<PaymentOutcome, "outcome" | "netAmounts"> & {
    affiliate: { affiliate_id: string } | null;
    payment: { currency: string };
  },
  {
    stored,
    referral_id,
    now,
  }: { stored: readonly AttributedCommissionRow[]; referral_id: string | null; now: Date },
): AttributedCommissionRow[] {
  const missing = new Sums();
  const gap = new Sums();
  const current = new Sums();
  for (const commission of stored) {
    const { affiliate_id, payout_status, reversal_of } = commission;
    if (payout_status !== "voided") {
      gap.add(affiliate_id, commission, -1n);
      current.add(affiliate_id, commission, 1n);
    }
    // A manually voided adjustment counts as valid. Otherwise it would be added again.
    if (payout_status !== "voided" || reversal_of !== null) missing.add(affiliate_id, commission, -1n);
  }
  if (outcome === "commission" && affiliate !== null && netAmounts !== null) {
    missing.add(affiliate.affiliate_id, netAmounts, 1n);
    gap.add(affiliate.affiliate_id, netAmounts, 1n);
  }
  return [...missing.all].flatMap(([affiliate_id, sum]) => {
    // Amounts that were voided manually are neither reversed nor paid twice, and no affiliate ends up owing for a
    // payment.
    const difference = notBelow(current.of(affiliate_id), within(gap.of(affiliate_id), sum));
    if (difference.revenue_minor === 0n && difference.commission_minor === 0n) return [];
    return {
      id: newId(now),
      affiliate_id,
      referral_id:
        affiliate_id === original.affiliate_id ? original.referral_id : (referral_id ?? original.referral_id),
      ...difference,
      currency: payment.currency,
      payout_status: "not_paid" as const,
      referral_date: original.referral_date,
      processor_payment_id: original.processor_payment_id,
      reversal_of: original.id,
      lead: original.lead,
      recruit_commission_id: null,
      created_at: now,
    };
  });
}

/** Amounts by affiliate. */
class Sums {
  readonly all = new Map<string, CommissionAmounts>();

  of(affiliate_id: string): CommissionAmounts {
    return this.all.get(affiliate_id) ?? { revenue_minor: 0n, commission_minor: 0n };
  }

  add(affiliate_id: string, { revenue_minor, commission_minor }: CommissionAmounts, sign: 1n | -1n): void {
    const sum = this.of(affiliate_id);
    this.all.set(affiliate_id, {
      revenue_minor: sum.revenue_minor + sign * revenue_minor,
      commission_minor: sum.commission_minor + sign * commission_minor,
    });
  }
}

/** Limits a difference to the gap between the current and the required amount. */
function within(gap: CommissionAmounts, difference: CommissionAmounts): CommissionAmounts {
  return {
    revenue_minor: nearer(difference.revenue_minor, gap.revenue_minor),
    commission_minor: nearer(difference.commission_minor, gap.commission_minor),
  };
}

/** Limits a difference so that the result is not negative. */
function notBelow(current: CommissionAmounts, difference: CommissionAmounts): CommissionAmounts {
  const least = (minor: bigint, of: bigint) => (minor < -of ? -of : minor);
  return {
    revenue_minor: least(difference.revenue_minor, current.revenue_minor),
    commission_minor: least(difference.commission_minor, current.commission_minor),
  };
}

/** The smaller of two steps; zero if their signs differ. */
function nearer(a: bigint, b: bigint): bigint {
  if (a > 0n !== b > 0n) return 0n;
  return (a < 0n ? -a : a) < (b < 0n ? -b : b) ? a : b;
}

/** Compares the names of payments with the stored ones. Each name has one commission, and never none again. */
export class NameDiff {
  readonly #before: CustomerBefore;
  /** The commission of each payment. */
  readonly #commissions = new Map<FactReference, string>();
  /** Commissions that lost their payment to another one. */
  readonly #withdrawn = new Set<string>();

  constructor(before: CustomerBefore) {
    this.#before = before;
  }

  add(payment: FactReference, commission_id: string | null): void {
    if (commission_id !== null) this.#commissions.set(payment, commission_id);
  }

  withdraw(commission_id: string): void {
    this.#withdrawn.add(commission_id);
  }

  changes(): PendingWrites["names"] {
    const { history, named } = this.#before;
    const changes: PendingWrites["names"] = { added: [], moved: [] };
    const given = new Set<string>();
    for (const payment of this.#commissions.size === 0 ? [] : history.relations.payments) {
      const commission_id = this.#commissions.get(referenceOf(payment));
      if (commission_id === undefined) continue;
      for (const name of history.relations.ownIdsOf(payment)) {
        const holder = named.get(name);
        if (given.has(name) || holder === commission_id) continue;
        given.add(name);
        if (holder === undefined) changes.added.push({ name, commission_id });
        else if (this.#mayMove(name, holder)) changes.moved.push({ name, commission_id, from_id: holder });
      }
    }
    return changes;
  }

  /** A name stays with a manual commission, and with the commission that shows it. */
  #mayMove(name: string, holder: string): boolean {
    if (this.#withdrawn.has(holder)) return true;
    if (!this.#before.of_payments.has(holder)) return false;
    const row = this.#before.commissions.get(holder)?.find(({ id }) => id === holder);
    return row?.processor_payment_id !== name;
  }
}
