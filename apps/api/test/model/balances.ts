import type { Decision } from "./attribution.ts";
import { MINUTE } from "./history.ts";

/*
 * What an affiliate is owed and was paid, by docs/payouts.md. All amounts are in minor units.
 */

/** People act one after another, all of them within the first minute. What occurs later is in the future. */
const NOW = MINUTE;

/** What an affiliate has earned by a payment, or by a manual commission. */
export interface Line {
  id: string;
  affiliate: number;
  currency: string;
  /** What remains of it. */
  amount: number;
  /** When the holding period ends. */
  held_until: number;
}

export interface Balance {
  affiliate: number;
  currency: string;
  held: number;
  due: number;
  in_payout: number;
  paid: number;
}

type Status = "pending" | "processing" | "paid" | "failed" | "canceled";

interface Payout {
  affiliate: number;
  currency: string;
  status: Status;
  /** The amount of each line, by its id. */
  parts: Map<string, number>;
}

const OVER: ReadonlySet<Status> = new Set<Status>(["failed", "canceled"]);

export class Balances {
  readonly #payouts: Payout[] = [];

  /** Whether a line is, or was, in a payout that is not over. */
  isLocked(line: string): boolean {
    return this.#live().some(({ parts }) => (parts.get(line) ?? 0) !== 0);
  }

  /** Whether a line is, or was, in any payout. */
  wasInPayout(line: string): boolean {
    return this.#payouts.some(({ parts }) => (parts.get(line) ?? 0) !== 0);
  }

  /** Pays the due amounts. */
  run(lines: readonly Line[], minimum: number, minimum_currency: string): void {
    const groups = new Map<string, Payout>();
    for (const { id, affiliate, currency, amount, isDue } of this.#open(lines)) {
      if (!isDue || amount === 0) continue;
      const key = `${affiliate} ${currency}`;
      const group = groups.get(key) ?? { affiliate, currency, status: "pending", parts: new Map() };
      groups.set(key, group);
      group.parts.set(id, amount);
    }
    for (const payout of groups.values()) {
      const sum = sumOf(payout);
      const least = payout.currency === minimum_currency ? minimum : 0;
      if (sum > 0 && sum >= least) this.#payouts.push(payout);
    }
  }

  /** Moves all open payouts. Returns the number that moved. */
  move(status: Status): number {
    return this.#moveFrom(status === "processing" ? ["pending"] : ["pending", "processing"], status);
  }

  /** All paid payouts fail: what they paid is due again. Returns their number. */
  return(): number {
    return this.#moveFrom(["paid"], "failed");
  }

  #moveFrom(from: readonly Status[], status: Status): number {
    const moved = this.#payouts.filter((payout) => from.includes(payout.status));
    for (const payout of moved) payout.status = status;
    return moved.length;
  }

  of(lines: readonly Line[]): Balance[] {
    const balances = new Map<string, Balance>();
    const at = (affiliate: number, currency: string) => {
      const key = `${affiliate} ${currency}`;
      const balance = balances.get(key) ?? { affiliate, currency, held: 0, due: 0, in_payout: 0, paid: 0 };
      balances.set(key, balance);
      return balance;
    };
    for (const { affiliate, currency, amount, isDue } of this.#open(lines)) {
      at(affiliate, currency)[isDue ? "due" : "held"] += amount;
    }
    for (const payout of this.#live()) {
      at(payout.affiliate, payout.currency)[payout.status === "paid" ? "paid" : "in_payout"] += sumOf(payout);
    }
    return [...balances.values()];
  }

  #live(): Payout[] {
    return this.#payouts.filter(({ status }) => !OVER.has(status));
  }

  /** The part of each line that is in no payout. What was reversed is netted without a holding period. */
  #open(lines: readonly Line[]): (Line & { isDue: boolean })[] {
    return lines.map((line) => {
      const paid = this.#live().reduce((sum, { parts }) => sum + (parts.get(line.id) ?? 0), 0);
      const amount = line.amount - paid;
      return { ...line, amount, isDue: amount < 0 || line.held_until <= NOW };
    });
  }
}

function sumOf({ parts }: Payout): number {
  return [...parts.values()].reduce((sum, amount) => sum + amount, 0);
}

export function lineOfAdjustment(number: number): string {
  return `d${number}`;
}

export function lineOf(payment: number, { affiliate }: Decision): string {
  return `p${payment} a${affiliate}`;
}
