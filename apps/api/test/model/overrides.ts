/*
 * What people decide about customers in place of attribution, by "Overrides" of docs/concepts.md.
 */

export interface Override {
  /** When it was made, after everything that people did before. */
  at: number;
  /** When a stop ended. */
  ended_at: number;
  kind: "move_customer" | "credit" | "stop_customer";
  customer: number;
  /** The affiliate of a move or a credit. */
  affiliate: number | null;
  /** The payments of a credit, or those with the commissions that a move takes along. */
  payments: ReadonlySet<number>;
  /** The manual commissions that a move takes along, by number. */
  manual: ReadonlySet<number>;
  /** The leads that a move takes along, by id. */
  leads: ReadonlySet<string>;
  is_ended: boolean;
  is_undone: boolean;
}

/** The overrides of a customer: the last one about a payment counts. */
export class Overrides {
  /** The last one first. */
  readonly #valid: readonly Override[];

  constructor(overrides: readonly Override[]) {
    this.#valid = overrides.filter(({ is_undone }) => !is_undone).toReversed();
  }

  /** The affiliate of a payment's last credit. */
  creditedTo(payment: number): number | null {
    return this.#creditOf(payment)?.affiliate ?? null;
  }

  /** The affiliate of a payment's last credit or move. */
  ownerOf(payment: { name: number; at: number }): number | null {
    const credit = this.#creditOf(payment.name);
    const owner = this.#valid.find((override) => override === credit || moves(override, payment));
    return owner?.affiliate ?? null;
  }

  /** The affiliate of the customer's last move. */
  movedTo(): number | null {
    return this.#valid.find(({ kind }) => kind === "move_customer")?.affiliate ?? null;
  }

  /** The affiliate of a manual commission's last move. */
  ownerOfManual(number: number): number | null {
    return this.#valid.find(({ manual }) => manual.has(number))?.affiliate ?? null;
  }

  /** The affiliate of a lead's last move. */
  ownerOfLead({ id, at }: { id: string; at: number }): number | null {
    const move = this.#valid.find(
      ({ kind, leads, at: moved_at }) => kind === "move_customer" && (at > moved_at || leads.has(id)),
    );
    return move?.affiliate ?? null;
  }

  /** Whether a stop lasted when a payment was made, or a lead happened. */
  stops({ at }: { at: number }): boolean {
    return this.#valid.some(
      (override) => override.kind === "stop_customer" && override.at < at && at < override.ended_at,
    );
  }

  #creditOf(payment: number): Override | undefined {
    return this.#valid.find(({ kind, payments }) => kind === "credit" && payments.has(payment));
  }
}

function moves(
  { kind, payments, at: moved_at }: Override,
  { name, at }: { name: number; at: number },
): boolean {
  return kind === "move_customer" && (at > moved_at || payments.has(name));
}

export function isStopping({ kind, is_ended, is_undone }: Override): boolean {
  return kind === "stop_customer" && !is_ended && !is_undone;
}

/** The outcomes of payments that have a commission. */
export const HAS_COMMISSION: ReadonlySet<string> = new Set(["commission", "commission_exists"]);
