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
  /** What was earned, before refunds. */
  earned: number;
  /** What remains of it. Zero: it is void. */
  amount: number;
  /** Why it waits or waited. */
  reasons: ReadonlySet<Reason>;
  /** It corrects what a payout has, which needs no other review. */
  corrects: boolean;
}

type Reason = "all" | "first" | "above";

/** A commission as it is now. */
interface Present {
  line: string;
  affiliate: number;
  currency: string;
  /** Before refunds. */
  earned: number;
  amount: number;
}

/** What people set. */
interface Settled {
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
  /** Affiliates of whom a commission has passed. */
  #passed = new Set<number>();

  constructor({ currency, isLocked }: { currency: string; isLocked: (line: string) => boolean }) {
    this.#currency = currency;
    this.#isLocked = isLocked;
  }

  find(id: string): Created | undefined {
    return this.#created.get(id);
  }

  /** Begins with commissions as they are now: those that were approved have passed also for the affiliates who get them now. */
  begin(present: ReadonlyMap<string, Present>): void {
    const all = [...this.#created.values(), ...this.#former];
    const passed = all.filter(
      ({ corrects, amount, review }) =>
        !corrects && amount > 0 && (review === "none" || review === "approved"),
    );
    const moved = [...present].flatMap(([id, { line, affiliate, amount }]) => {
      const known = this.#created.get(id);
      const is_free = known !== undefined && (known.line === line || !this.#isLocked(known.line));
      return is_free && !known.corrects && amount > 0 && known.review === "approved" ? affiliate : [];
    });
    this.#passed = new Set([...passed.map(({ affiliate }) => affiliate), ...moved]);
    for (const [id, known] of this.#created) if (!present.has(id)) known.amount = 0;
  }

  /**
   * It goes along to another affiliate, unless a payout has it: then it is netted, and the other affiliate's is new. A free one
   * waits as if that affiliate had earned it at once, unless somebody has decided about it.
   */
  record(id: string, present: Present, set: Settled): Created {
    const known = this.#created.get(id);
    if (known !== undefined && (known.line === present.line || !this.#isLocked(known.line))) {
      if (known.affiliate !== present.affiliate) this.#review(known, this.#reasonsOf(present, set));
      // What is corrected after its payout needs no other review.
      else if (
        !this.#isLocked(known.line) &&
        this.#isAbove(known, present, set) !== this.#isAbove(present, present, set)
      ) {
        const reasons = new Set(known.reasons);
        if (!reasons.delete("above")) reasons.add("above");
        this.#review(known, reasons);
      }
      const { line, affiliate, earned, amount } = present;
      return Object.assign(known, { line, affiliate, earned, amount });
    }
    if (known !== undefined) this.#former.push(known);
    const { line, affiliate, earned, amount } = present;
    const none = { review: "none", reasons: new Set<Reason>(), corrects: known !== undefined } as const;
    const created: Created = { line, affiliate, hold_days: set.hold_days, earned, amount, ...none };
    this.#review(created, this.#reasonsOf(present, set));
    this.#created.set(id, created);
    return created;
  }

  #review(commission: Created, reasons: ReadonlySet<Reason>): void {
    if (commission.corrects || commission.review === "approved" || commission.review === "rejected") return;
    commission.reasons = reasons;
    commission.review = reasons.size > 0 ? "pending" : "none";
  }

  #reasonsOf(present: Present, set: Settled): Set<Reason> {
    const reasons = new Set<Reason>();
    const { review } = termsOf(present, set) ?? { review: "none" };
    if (review === "all") reasons.add("all");
    if (review === "first" && !this.#passed.has(present.affiliate)) reasons.add("first");
    if (this.#isAbove(present, present, set)) reasons.add("above");
    return reasons;
  }

  #isAbove({ earned }: { earned: number }, present: Present, set: Settled): boolean {
    const { currency } = present;
    const above = termsOf(present, set)?.review_above ?? null;
    if (above === null) return false;
    return currency !== this.#currency || earned > above * unitOf(currency);
  }
}

/** Null: the commissions are not reviewed. */
function termsOf({ affiliate }: Present, { settings }: Settled) {
  if (settings === null) return null;
  const terms = settings.campaigns[settings.affiliates[affiliate]?.campaign ?? -1];
  if (terms === undefined) throw new Error(`no campaign of affiliate ${affiliate}`);
  return terms;
}
