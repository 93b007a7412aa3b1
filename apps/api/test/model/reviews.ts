import type { Settings } from "./attribution.ts";
import { unitOf } from "./history.ts";

/*
 * What counts of commissions since they were created: their holding period, and their review, by "Review of commissions" of
 * docs/payouts.md.
 */

export interface Created {
  /** The line that has the commission now. */
  line: string;
  affiliate: number;
  hold_days: number;
  review: "none" | "pending" | "approved" | "rejected";
}

/** A commission as it is now. */
interface Present {
  line: string;
  affiliate: number;
  currency: string;
  amount: number;
}

/** What people set. */
interface Set {
  hold_days: number;
  /** Null: the commissions are not reviewed. */
  settings: Settings | null;
}

export class CreatedCommissions {
  readonly #currency: string;
  readonly #isLocked: (line: string) => boolean;
  readonly #created = new Map<string, Created>();
  /** Those that are in payouts of an affiliate who has them no longer. */
  readonly #former: Created[] = [];

  constructor({ currency, isLocked }: { currency: string; isLocked: (line: string) => boolean }) {
    this.#currency = currency;
    this.#isLocked = isLocked;
  }

  find(id: string): Created | undefined {
    return this.#created.get(id);
  }

  /** It goes along to another affiliate, unless a payout has it: then it is netted, and the other affiliate's is new. */
  record(id: string, present: Present, set: Set): Created {
    const known = this.#created.get(id);
    if (known !== undefined && (known.line === present.line || !this.#isLocked(known.line))) {
      known.line = present.line;
      known.affiliate = present.affiliate;
      return known;
    }
    if (known !== undefined) this.#former.push(known);
    const { line, affiliate } = present;
    const review = this.#isReviewed(present, set) ? ("pending" as const) : ("none" as const);
    const created: Created = { line, affiliate, hold_days: set.hold_days, review };
    this.#created.set(id, created);
    return created;
  }

  #isReviewed({ affiliate, currency, amount }: Present, { settings }: Set): boolean {
    if (settings === null) return false;
    const terms = settings.campaigns[settings.affiliates[affiliate]?.campaign ?? -1];
    if (terms === undefined) throw new Error(`no campaign of affiliate ${affiliate}`);
    const { review, review_above } = terms;
    if (review === "all") return true;
    if (review === "first" && !this.#hasPassed(affiliate)) return true;
    if (review_above === null) return false;
    return currency !== this.#currency || amount > review_above * unitOf(currency);
  }

  #hasPassed(affiliate: number): boolean {
    const all = [...this.#created.values(), ...this.#former];
    return all.some((one) => one.affiliate === affiliate && ["none", "approved"].includes(one.review));
  }
}
