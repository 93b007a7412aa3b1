import type { Decisions, Settings } from "./attribution.ts";
import { DAY, HOUR, type LeadKind, unitOf } from "./history.ts";
import type { Overrides } from "./overrides.ts";

/*
 * What customers' leads earn, by "Leads" of docs/concepts.md. A referral has each kind once.
 */

/** A conversion that a backend reported of a referral. */
interface Conversion {
  kind: LeadKind;
  at: number;
  /** The referral that it was reported of. */
  of: Decisions["referral_by"];
}

/** An event of a referral, and who has it. */
export interface Lead {
  /** Of the customer, the referral and the kind. */
  id: string;
  kind: LeadKind;
  at: number;
  affiliate: number;
}

/** What was decided when an affiliate first had a lead. */
interface Frozen {
  settings: Settings;
  /** Null: nobody asked yet, because it happened before the referral. */
  is_beyond_limit: boolean | null;
}

export interface LeadResult extends Lead {
  outcome: string;
  /** In minor units of the organization's currency, without what people changed. */
  amount: number;
}

/** A customer, as its referral and its overrides have it now. */
export interface Led {
  customer: number;
  decisions: Decisions;
  overrides: Overrides;
  /** When trials began. */
  trials: readonly number[];
}

export class Leads {
  readonly #currency: string;
  readonly #start: number;
  readonly #conversions = new Map<number, Conversion[]>();
  readonly #frozen = new Map<string, Frozen>();
  /** Referrals whose sign-up an affiliate's campaign paid for. */
  readonly #signed_up = new Set<string>();
  /** Affiliates who were the last for a sign-up that no campaign had paid for. */
  readonly #unpaid = new Map<string, number>();

  constructor({ currency, start }: { currency: string; start: number }) {
    this.#currency = currency;
    this.#start = start;
  }

  /** Whether the customer's sign-up has a conversion: then a referral by API does not replace it. */
  hasConversion(customer: number): boolean {
    return this.#conversions.has(customer);
  }

  add(customer: number, conversion: Conversion): void {
    const all = this.#conversions.get(customer) ?? [];
    if (all.some(({ kind, of }) => kind === conversion.kind && of === conversion.of)) return;
    this.#conversions.set(customer, [...all, conversion]);
  }

  /** The leads of a customer's referral, with the affiliates who have them. */
  of(led: Led): Lead[] {
    const { customer, decisions, overrides, trials } = led;
    const { bound_to, referral_by, since, is_credited } = decisions;
    if (bound_to === null) return [];
    const referral = referralOf(led);
    const conversions = (this.#conversions.get(customer) ?? []).filter(({ of }) => of === referral_by);
    const is_paid = this.#unpaid.get(referral) !== bound_to || this.#signed_up.has(referral);
    const own_trials = trials.filter((at) => !isBefore({ at }, decisions));
    const events: { kind: LeadKind; at: number }[] = [
      ...(is_paid && !is_credited ? [{ kind: "signup" as const, at: since }] : []),
      ...(own_trials.length === 0 ? [] : [{ kind: "trial" as const, at: Math.min(...own_trials) }]),
      ...conversions,
    ];
    return events.map(({ kind, at }) => {
      const id = `${referral} ${kind}`;
      return { id, kind, at, affiliate: overrides.ownerOfLead({ id, at }) ?? bound_to };
    });
  }

  /** Decides the leads that affiliates have for the first time. */
  settle(all: readonly Led[], settings: Settings): void {
    for (const led of all) {
      const referral = referralOf(led);
      const { is_credited, bound_to } = led.decisions;
      if (is_credited) this.#unpaid.delete(referral);
      for (const lead of this.of(led)) {
        const first = firstOf(lead, led);
        this.#freeze(first, settings);
        if (lead.kind === "signup" && this.#entryOf(first) !== null) this.#signed_up.add(referral);
        else if (lead.kind === "signup" && !this.#signed_up.has(referral)) {
          this.#frozen.delete(keyOf(first));
          if (bound_to !== null) this.#unpaid.set(referral, bound_to);
          continue;
        }
        for (const one of new Set([first, lead])) {
          const frozen = this.#freeze(one, settings);
          if (frozen.is_beyond_limit === null && !isBefore(one, led.decisions))
            frozen.is_beyond_limit = this.#isBeyondLimit(one, all);
        }
      }
    }
  }

  #freeze(lead: Lead, settings: Settings): Frozen {
    const frozen = this.#frozen.get(keyOf(lead)) ?? { settings, is_beyond_limit: null };
    this.#frozen.set(keyOf(lead), frozen);
    return frozen;
  }

  #isBeyondLimit(lead: Lead, all: readonly Led[]): boolean {
    const limit = this.#entryOf(lead)?.daily_limit ?? null;
    if (limit === null) return false;
    const others = all.flatMap((other) => this.results(other)).filter((other) => other.id !== lead.id);
    const earning = others.filter(
      (other) =>
        other.outcome === "commission" &&
        other.kind === lead.kind &&
        other.affiliate === lead.affiliate &&
        this.#dayOf(other) === this.#dayOf(lead),
    );
    return earning.length >= limit;
  }

  results(led: Led): LeadResult[] {
    return this.of(led)
      .filter((lead) => this.#frozen.has(keyOf(lead)))
      .map((lead) => {
        const outcome = this.#outcomeOf(lead, led);
        const amount = outcome === "commission" ? (this.#entryOf(lead)?.amount ?? 0) : 0;
        return { ...lead, outcome, amount: Math.round(amount * unitOf(this.#currency)) };
      });
  }

  #outcomeOf(lead: Lead, led: Led): string {
    const { customer, overrides, decisions } = led;
    const frozen = this.#frozen.get(keyOf(lead));
    const partner = frozen?.settings.affiliates[lead.affiliate];
    if (overrides.stops(lead)) return "customer_stopped";
    if ([lead, firstOf(lead, led)].some((one) => this.#entryOf(one) === null)) return "no_lead_commission";
    if (partner?.banned) return "affiliate_banned";
    if (!partner?.approved) return "affiliate_unapproved";
    if (partner.is_customer === customer) return "self_referral";
    if (isBefore(lead, decisions)) return "before_referral";
    return frozen?.is_beyond_limit ? "daily_limit_reached" : "commission";
  }

  /** What the affiliate's campaign paid for such leads when the affiliate first had this one. */
  #entryOf(lead: Lead) {
    const settings = this.#frozen.get(keyOf(lead))?.settings;
    const campaign = settings?.affiliates[lead.affiliate]?.campaign ?? -1;
    return settings?.campaigns[campaign]?.leads.find(({ kind }) => kind === lead.kind) ?? null;
  }

  #dayOf({ at }: Lead): number {
    return Math.floor((this.#start + at) / DAY);
  }
}

/** Whether it happened before the customer was referred. A sign-up counts from an hour before, as for payments. */
function isBefore({ at }: Pick<Lead, "at">, { since, is_given }: Decisions): boolean {
  return at < since - (is_given ? HOUR : 0);
}

/** A sign-up as the affiliate had it who brought the customer: moves take along only what that one's campaign paid for. */
function firstOf(lead: Lead, { decisions: { bound_to } }: Led): Lead {
  const is_own = lead.kind !== "signup" || bound_to === null || bound_to === lead.affiliate;
  return is_own ? lead : { ...lead, affiliate: bound_to };
}

/** Of the customer. One by API replaces others. */
function referralOf({ customer, decisions }: Led): string {
  return `${customer} ${decisions.referral_by}`;
}

function keyOf({ id, affiliate }: Lead): string {
  return `${id} a${affiliate}`;
}

export function lineOfLead(lead: Pick<Lead, "id" | "affiliate">): string {
  return `l${keyOf(lead as Lead)}`;
}

/** What leads earned, by kind and affiliate. */
export function sumsOfLeads(leads: readonly LeadResult[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { kind, affiliate, amount } of leads) {
    if (amount === 0) continue;
    const key = `${kind} of affiliate ${affiliate}`;
    sums.set(key, (sums.get(key) ?? 0) + amount);
  }
  return sums;
}
