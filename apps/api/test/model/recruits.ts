import { percentOf } from "./amounts.ts";
import type { Settings } from "./attribution.ts";
import type { Line } from "./balances.ts";
import { addMonths } from "./months.ts";

/*
 * What recruiters get of recruits' commissions, by "Recruits" of docs/concepts.md.
 */

/** A commission for a payment (`p`), by hand (`m`), or for a lead (`l`), as it is now. */
export interface Root extends Omit<Line, "held_until"> {
  /** Whoever has it. */
  root: string;
  at: number;
}

/** What a recruiter gets of a commission. */
export interface Share extends Omit<Line, "held_until"> {
  root: Root;
}

export class Recruits {
  readonly #start: number;
  /** Whether recruiters get nothing of commissions, decided when recruits first had them. */
  readonly #refused = new Map<string, boolean>();
  /** What people voided, by commission and recruiter. */
  readonly #voided = new Set<string>();
  /** Who got a share of a commission, the last one last. */
  readonly #recruiters = new Map<string, number[]>();

  constructor(start: number) {
    this.#start = start;
  }

  /** Null: nobody recruited the affiliate. */
  shareOf(root: Root, { affiliates }: Settings, terms: Settings["campaigns"]): Share | null {
    const recruit = affiliates[root.affiliate];
    const recruiter = recruit?.recruited_by;
    const recruiting = terms[recruit?.campaign ?? -1]?.recruiting ?? null;
    if (recruiter === undefined || recruiting === null) return null;
    const key = `${root.root} of ${root.affiliate}`;
    const { approved = false, banned = false } = affiliates[recruiter] ?? {};
    if (!this.#refused.has(key)) this.#refused.set(key, banned || !approved);
    const is_over = this.#start + root.at >= addMonths(this.#start, recruiting.months);
    const gets_nothing = is_over || this.#refused.get(key) || this.#voided.has(`${root.root} ${recruiter}`);
    const amount = gets_nothing ? 0 : percentOf(root.amount, recruiting.percent);
    const others = (this.#recruiters.get(root.root) ?? []).filter((other) => other !== recruiter);
    if (amount > 0) this.#recruiters.set(root.root, [...others, recruiter]);
    return {
      root,
      id: lineOfRecruit(root.root, recruiter),
      affiliate: recruiter,
      currency: root.currency,
      amount,
    };
  }

  /** Who got a share of a commission, the last one last. */
  recruitersOf(root: string): readonly number[] {
    return this.#recruiters.get(root) ?? [];
  }

  isVoided(root: string, recruiter: number): boolean {
    return this.#voided.has(`${root} ${recruiter}`);
  }

  setVoided(root: string, recruiter: number, is_voided: boolean): void {
    if (is_voided) this.#voided.add(`${root} ${recruiter}`);
    else this.#voided.delete(`${root} ${recruiter}`);
  }
}

export function lineOfRecruit(root: string, recruiter: number): string {
  return `r${root} a${recruiter}`;
}
