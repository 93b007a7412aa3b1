import type { OverrideFact, PaymentMade } from "../facts/payment-fact.ts";
import type { Relations } from "../facts/relate.ts";
import type { StoredFact } from "../facts/stored-fact.ts";
import type { ManualCommission } from "./history.ts";
import type { AppliedOverride, CustomerOverrides, LeadOverrides } from "./outcome.ts";

type Override = StoredFact<OverrideFact>;

/** The overrides of one payment. */
export interface PaymentOverrides {
  /** The affiliate who has the payment's commission; null: the customer's own. */
  affiliate_id: string | null;
  /** Whether it earns even if other rules would refuse it. */
  is_credited: boolean;
  is_stopped: boolean;
  /** The one that the decision follows. */
  applied: AppliedOverride;
}

/** The overrides of one customer. If a payment has several overrides, the one that was made last counts. */
export class Overrides implements CustomerOverrides {
  readonly #relations: Relations;
  /** The last one first, without undone ones. */
  readonly #valid: readonly Override[];

  constructor(overrides: readonly Override[], relations: Relations) {
    this.#relations = relations;
    this.#valid = overrides
      .filter(({ fact }) => fact.undone_at === null)
      .sort(({ fact: a }, { fact: b }) => byTime(b, a));
  }

  /** Null: nobody decided about this payment. */
  of(payment: StoredFact<PaymentMade>, commission_id: string | null): PaymentOverrides | null {
    const credit = this.creditOf(payment);
    const owner = this.#valid.find(
      (override) => override === credit || moves(override, payment.fact.paid_at, commission_id),
    );
    const stop = credit === null ? this.#stopAt(payment.fact.paid_at) : undefined;
    const applied = stop ?? owner;
    if (applied === undefined) return null;
    return {
      affiliate_id: owner?.fact.affiliate_id ?? null,
      is_credited: credit !== null,
      is_stopped: stop !== undefined,
      applied: viewApplied(applied),
    };
  }

  /** People's decisions about a lead. */
  ofLead({ occurred_at, commission_id }: { occurred_at: Date; commission_id: string | null }): LeadOverrides {
    const owner = this.#valid.find((override) => moves(override, occurred_at, commission_id));
    return {
      affiliate_id: owner?.fact.affiliate_id ?? null,
      is_stopped: this.#stopAt(occurred_at) !== undefined,
    };
  }

  #stopAt(at: Date): Override | undefined {
    return this.#valid.find((override) => stops(override, at));
  }

  /** The last credit for a payment; null: none. */
  creditOf(payment: StoredFact<PaymentMade>): Override | null {
    const credits = this.#valid.filter(({ fact }) => fact.type === "credit");
    if (credits.length === 0) return null;
    const ids = new Set(this.#relations.idsOf(payment));
    const isOf = ({ processor, id }: OverrideFact["payments"][number]) =>
      processor === payment.processor && ids.has(id);
    return credits.find(({ fact }) => fact.payments.some(isOf)) ?? null;
  }

  /** The affiliate of the customer's last move; null: nobody moved it. */
  movedTo(): string | null {
    return this.#valid.find(({ fact }) => fact.type === "move")?.fact.affiliate_id ?? null;
  }
}

/**
 * The affiliate of a manual commission's last move, or else its first affiliate. `moves` include undone ones. Null: nobody ever
 * moved it.
 */
export function movedTo(
  { id, affiliate_id }: ManualCommission,
  moves: readonly OverrideFact[],
): string | null {
  const listing = moves.filter(({ commissions }) => commissions.some((commission) => commission.id === id));
  const [first, ...later] = listing.toSorted(byTime);
  if (first === undefined) return null;
  const last = [first, ...later].findLast(({ undone_at }) => undone_at === null);
  if (last !== undefined) return last.affiliate_id ?? affiliate_id;
  return first.commissions.find((commission) => commission.id === id)?.affiliate_id ?? affiliate_id;
}

function byTime(a: OverrideFact, b: OverrideFact): number {
  return a.since.getTime() - b.since.getTime() || (a.subject < b.subject ? -1 : 1);
}

/** Whether a move covers an event at that time, or its commission. */
function moves(
  { fact: { type, since, commissions } }: Override,
  at: Date,
  commission_id: string | null,
): boolean {
  if (type !== "move") return false;
  return at >= since || (commission_id !== null && commissions.some(({ id }) => id === commission_id));
}

function stops({ fact: { type, since, until } }: Override, at: Date): boolean {
  return type === "stop" && since <= at && (until === null || at < until);
}

function viewApplied({ fact: { subject, type, created_by, since } }: Override): AppliedOverride {
  return { id: subject, type, created_by, created_at: since.toISOString() };
}
