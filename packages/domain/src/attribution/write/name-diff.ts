import { type FactReference, referenceOf } from "../facts/fact-names.ts";
import type { CustomerBefore } from "./customer-history.ts";
import type { PendingWrites } from "./pending-writes.ts";

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

  /** A name stays with a commission by hand, and with the commission that shows it. */
  #mayMove(name: string, holder: string): boolean {
    if (this.#withdrawn.has(holder)) return true;
    if (!this.#before.of_payments.has(holder)) return false;
    const row = this.#before.commissions.get(holder)?.find(({ id }) => id === holder);
    return row?.processor_payment_id !== name;
  }
}
