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
  is_before_referral: boolean;
  is_beyond_limit: boolean;
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
  /** When the first trial began; null: none is known. */
  trial: number | null;
}

export class Leads {
  readonly #currency: string;
  readonly #start: number;
  readonly #conversions = new Map<number, Conversion[]>();
  readonly #frozen = new Map<string, Frozen>();
  /** When leads happened, as it was known when each was first found. */
  readonly #times = new Map<string, number>();
  /** Referrals without a sign-up: a credit made them, or the campaign did not pay for it then. */
  readonly #without_sign_up = new Set<string>();

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
  of({ customer, decisions, overrides, trial }: Led): Lead[] {
    const { bound_to, referral_by, since } = decisions;
    if (bound_to === null) return [];
    const conversions = (this.#conversions.get(customer) ?? []).filter(({ of }) => of === referral_by);
    const events: { kind: LeadKind; at: number }[] = [
      ...(this.#without_sign_up.has(`${customer} ${referral_by}`)
        ? []
        : [{ kind: "signup" as const, at: since }]),
      ...(trial === null ? [] : [{ kind: "trial" as const, at: trial }]),
      ...conversions,
    ];
    return events.map(({ kind, at: known_at }) => {
      const id = `${customer} ${referral_by} ${kind}`;
      const at = this.#times.get(id) ?? known_at;
      return { id, kind, at, affiliate: overrides.ownerOfLead({ id, at }) ?? bound_to };
    });
  }

  /** Decides the leads that affiliates have for the first time. */
  settle(all: readonly Led[], settings: Settings): void {
    for (const led of all) {
      const { is_credited, referral_by } = led.decisions;
      const referral = `${led.customer} ${referral_by}`;
      if (is_credited && !this.#times.has(`${referral} signup`)) this.#without_sign_up.add(referral);
      for (const lead of this.of(led)) {
        const key = keyOf(lead);
        if (this.#frozen.has(key)) continue;
        const is_new = !this.#times.has(lead.id);
        this.#times.set(lead.id, lead.at);
        // A sign-up counts from an hour before, as for payments.
        const is_before_referral = lead.at < led.decisions.since - (led.decisions.is_given ? HOUR : 0);
        const frozen = { settings, is_before_referral, is_beyond_limit: false };
        this.#frozen.set(key, frozen);
        if (lead.kind === "signup" && is_new && this.#entryOf(lead) === null)
          this.#without_sign_up.add(referral);
        const limit = this.#entryOf(lead)?.daily_limit ?? null;
        if (limit === null) continue;
        const others = all.flatMap((other) => this.results(other)).filter((other) => other.id !== lead.id);
        const earning = others.filter(
          (other) =>
            other.outcome === "commission" &&
            other.kind === lead.kind &&
            other.affiliate === lead.affiliate &&
            this.#dayOf(other) === this.#dayOf(lead),
        );
        if (earning.length >= limit) frozen.is_beyond_limit = true;
      }
    }
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

  #outcomeOf(lead: Lead, { customer, overrides }: Led): string {
    const frozen = this.#frozen.get(keyOf(lead));
    const partner = frozen?.settings.affiliates[lead.affiliate];
    if (overrides.stopsLead(lead)) return "customer_stopped";
    if (this.#entryOf(lead) === null) return "no_lead_commission";
    if (partner?.banned) return "affiliate_banned";
    if (!partner?.approved) return "affiliate_unapproved";
    if (partner.is_customer === customer) return "self_referral";
    if (frozen?.is_before_referral) return "before_referral";
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

function keyOf({ id, affiliate }: Lead): string {
  return `${id} a${affiliate}`;
}

export function lineOfLead(lead: Pick<Lead, "id" | "affiliate">): string {
  return `l${keyOf(lead as Lead)}`;
}
