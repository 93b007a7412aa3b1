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
  /** Whether it earns whatever else would refuse it. */
  is_credited: boolean;
  is_stopped: boolean;
  /** The one that the decision follows. */
  applied: AppliedOverride;
}

/**
 * The overrides of one customer. Of several overrides of the same payment, the last one counts, by the time
 * when it was made.
 */
export class Overrides implements CustomerOverrides {
  readonly #relations: Relations;
  /** In the order of the times when they were made, undone ones included. */
  readonly #all: readonly Override[];
  /** The last one first, without undone ones. */
  readonly #valid: readonly Override[];

  constructor(overrides: readonly Override[], relations: Relations) {
    this.#relations = relations;
    this.#all = overrides.toSorted(byTime);
    this.#valid = this.#all.filter(({ fact }) => fact.undone_at === null).toReversed();
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

  /** What people decided about a lead. */
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

  /** The affiliate of a manual commission's last move, or else its first affiliate. */
  affiliateOfManual({ id, affiliate_id }: ManualCommission): string {
    const lists = ({ fact }: Override) => fact.commissions.some((commission) => commission.id === id);
    const last = this.#valid.find(lists);
    if (last !== undefined) return last.fact.affiliate_id ?? affiliate_id;
    const first = this.#all.find(lists);
    return first?.fact.commissions.find((commission) => commission.id === id)?.affiliate_id ?? affiliate_id;
  }

  /** Whether anybody ever moved a manual commission. */
  lists({ id }: ManualCommission): boolean {
    return this.#all.some(({ fact }) => fact.commissions.some((commission) => commission.id === id));
  }
}

function byTime({ fact: a }: Override, { fact: b }: Override): number {
  return a.since.getTime() - b.since.getTime() || (a.subject < b.subject ? -1 : 1);
}

/** Whether a move covers what happened then, or the commission of it. */
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
