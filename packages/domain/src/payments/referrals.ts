import type { CheckoutEvent, CustomerEvent, PaymentMade, SignUpEvent } from "../processors/payment-event.ts";
import type { CandidateResult } from "./candidate-results.ts";
import { customerKey, emailKey, partNames } from "./event-names.ts";
import type { CustomerHistory, KnownReferral } from "./history.ts";
import { decidedAs } from "./known-decisions.ts";
import { KnownEmails } from "./known-emails.ts";
import { type EventReference, type ReferralOutcome, referenceOf } from "./outcome.ts";
import type { Relations } from "./related.ts";
import { SIGN_UP_TOLERANCE_MILLISECONDS } from "./sign-ups.ts";
import type { StoredEvent } from "./stored-event.ts";
import type { JudgedAffiliate } from "./terms.ts";

/** What tells of a customer at a moment. */
export type Happening = StoredEvent<CheckoutEvent | CustomerEvent | PaymentMade | SignUpEvent>;

/** A referral on the way through a customer's events. */
export interface SettledReferral extends ReferralOutcome {
  /** Who else may have brought the customer, so far. */
  candidates: CandidateResult[];
  /** Made by a sign-up of a page: evidence at a checkout is stronger, until a checkout or payment confirms it. */
  is_weak: boolean;
}

/**
 * A customer's referrals, found as attribution says: by the processor's customer id, then by email. Those that
 * events make are made anew each time, so that nothing of an earlier, shorter story is left in them; which
 * rows they are is looked up at the end.
 */
export class Referrals {
  readonly #all: SettledReferral[] = [];
  readonly #history: CustomerHistory;
  /** Rows of referrals that these events made before. */
  readonly #made: KnownReferral[];
  readonly #emails: KnownEmails;
  /** Which referral an id or an email turned out to be of, whatever was changed in it by hand since. */
  readonly #known_as = new Map<string, SettledReferral>();

  constructor(history: CustomerHistory, relations: Relations) {
    this.#history = history;
    this.#emails = new KnownEmails([...history.events, ...relations.charge_payments], relations.nameOf);
    const references = new Set(history.events.flatMap((stored) => [referenceOf(stored), decidedAs(stored)]));
    const is_made = ({ bound_by }: KnownReferral) => bound_by !== null && references.has(bound_by);
    this.#made = history.referrals.filter(is_made);
    for (const known of history.referrals) if (!is_made(known)) this.#all.push(settled(known));
  }

  /** The email of the customer that an event is about: its own, or the one that the customer had then. */
  emailOf(happening: Happening, at: Date): string | null {
    return this.#emails.of(happening, at);
  }

  /** A referral that no event made. */
  byHand(id: string): SettledReferral | null {
    return this.#all.find((referral) => referral.id === id && referral.bound_by === null) ?? null;
  }

  /** The referral of whom an event is about, if there was one at that time. */
  find(happening: Happening, at: Date): SettledReferral | null {
    return this.#match(happening, at, (referral) => referral.since <= at);
  }

  /** Whether there is a referral that no event made; it came later, and nobody else gets the customer. */
  hasOwnLater(happening: Happening, at: Date): boolean {
    return this.#match(happening, at, () => true) !== null;
  }

  #match(
    happening: Happening,
    at: Date,
    isMeant: (referral: SettledReferral) => boolean,
  ): SettledReferral | null {
    const { customer_id } = happening.event;
    const email = this.emailOf(happening, at);
    const meant = this.#all.filter(isMeant);
    const knownAs = (name: string) => meant.find((referral) => referral === this.#known_as.get(name));
    if (customer_id !== null) {
      const own = meant.find((referral) => referral.customer_id === customer_id);
      const found = own ?? knownAs(customerKey(customer_id));
      if (found !== undefined) return found;
    }
    if (email !== null) {
      const own = meant.find((referral) => emailKey(referral.email) === emailKey(email));
      const found = own ?? knownAs(emailKey(email));
      if (found !== undefined) return found;
    }
    // A payment that names nobody is the payment of its subscription's customer.
    if (customer_id !== null || happening.event.email !== null) return null;
    for (const name of partNames(happening)) {
      const found = knownAs(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** Whether any other referral of the customer, by whatever name, is older than a moment. */
  isReferredBefore(moment: Date, own: SettledReferral | null): boolean {
    return this.#all.some((referral) => referral !== own && referral.since < moment);
  }

  /** Whether a commission was made by hand, before a moment, for the referral of an event. */
  hasManualCommission(by: EventReference, at: Date): boolean {
    const row = this.#made.find(({ bound_by }) => bound_by === by);
    return this.#history.manual_commissions.some(
      ({ referral_id, created_at }) => referral_id === row?.id && created_at <= at,
    );
  }

  /** Gives up a referral: the customer turned out to be nobody's. */
  drop(referral: SettledReferral): void {
    this.#all.splice(this.#all.indexOf(referral), 1);
    for (const [name, known] of this.#known_as) if (known === referral) this.#known_as.delete(name);
  }

  /** Makes a referral. */
  bind(input: {
    email: string;
    customer_id: string | null;
    winner: JudgedAffiliate;
    by: EventReference;
    at: Date;
    signup_date: Date;
    is_weak: boolean;
    candidates: CandidateResult[];
  }): SettledReferral {
    const { email, customer_id, winner, by, at, signup_date, is_weak, candidates } = input;
    const referral: SettledReferral = {
      id: null,
      email,
      customer_id: this.#isTaken(customer_id) ? null : customer_id,
      affiliate_id: winner.affiliate_id,
      bound_by: by,
      since: at,
      signup_date,
      processor_status: null,
      candidates,
      is_weak,
    };
    this.#all.push(referral);
    return referral;
  }

  /** Notes by what else a referral is known. Its first customer id is kept with it. */
  know(referral: SettledReferral, happening: Happening, at: Date): void {
    const { customer_id } = happening.event;
    const email = this.emailOf(happening, at);
    const names = partNames(happening);
    if (email !== null) names.push(emailKey(email));
    if (customer_id !== null) names.push(customerKey(customer_id));
    for (const name of names) if (!this.#known_as.has(name)) this.#known_as.set(name, referral);
    if (referral.customer_id === null && !this.#isTaken(customer_id)) referral.customer_id = customer_id;
  }

  #isTaken(customer_id: string | null): boolean {
    return customer_id !== null && this.#all.some((other) => other.customer_id === customer_id);
  }

  /** The referrals, each with its row if it has one, and the rows that stand for none any more. */
  outcomes(): { referrals: ReferralOutcome[]; superseded: string[] } {
    this.#readStatuses();
    const free = [...this.#made];
    const take = (isIt: (row: KnownReferral) => boolean): KnownReferral | undefined => {
      const index = free.findIndex(isIt);
      return index === -1 ? undefined : free.splice(index, 1)[0];
    };
    const bound = this.#all.filter(({ id }) => id === null);
    const assign = (isIt: (referral: SettledReferral, row: KnownReferral) => boolean) => {
      for (const referral of bound) referral.id ??= take((row) => isIt(referral, row))?.id ?? null;
    };
    assign((referral, row) => referral.bound_by === row.bound_by);
    assign((referral, row) => emailKey(referral.email) === emailKey(row.email));
    assign(
      (referral, row) => referral.customer_id !== null && referral.customer_id === row.processor_customer_id,
    );
    assign(() => true);
    return { referrals: this.#all, superseded: free.map(({ id }) => id) };
  }

  /** The best of a referral's subscriptions tells where it stands. */
  #readStatuses(): void {
    for (const { event } of this.#history.events) {
      if (event.kind !== "subscription" || event.status === null || event.customer_id === null) continue;
      const { customer_id } = event;
      const referral =
        this.#all.find((one) => one.customer_id === customer_id) ??
        this.#known_as.get(customerKey(customer_id));
      if (referral === undefined) continue;
      const { processor_status } = referral;
      if (processor_status === null || STANDING[event.status] > STANDING[processor_status]) {
        referral.processor_status = event.status;
      }
    }
  }
}

const STANDING = { canceled: 0, past_due: 1, trialing: 2, active: 3 };

/** A referral that no event of this customer made: it stands as it is. */
function settled(known: KnownReferral): SettledReferral {
  const { id, email, processor_customer_id, affiliate_id, signup_date, bound_by, customer_id_by_hand } =
    known;
  const tolerance = bound_by === null ? SIGN_UP_TOLERANCE_MILLISECONDS : 0;
  return {
    id,
    email,
    customer_id: customer_id_by_hand || bound_by !== null ? processor_customer_id : null,
    affiliate_id,
    bound_by,
    since: new Date(signup_date.getTime() - tolerance),
    signup_date,
    processor_status: null,
    candidates: [],
    is_weak: false,
  };
}
