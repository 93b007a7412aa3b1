import type { CheckoutEvent, CustomerEvent, PaymentMade } from "../processors/payment-event.ts";
import type { CandidateResult } from "./attribute.ts";
import type { CustomerHistory, KnownReferral } from "./history.ts";
import { type EventReference, type ReferralOutcome, referenceOf } from "./outcome.ts";
import type { JudgedAffiliate } from "./terms.ts";

/** A referral on the way through a customer's events. */
export interface SettledReferral extends ReferralOutcome {
  /** Whether a checkout or payment has reached it; one that is made later by the clocks is not there yet. */
  is_there: boolean;
  /** Who else may have brought the customer, so far. */
  candidates: CandidateResult[];
}

/** A sign-up is often told of a moment after the payment that came with it. */
const SIGNUP_TOLERANCE_MILLISECONDS = 60 * 60 * 1000;

type Told = CheckoutEvent | CustomerEvent | PaymentMade;

/** A customer's referrals, found as attribution says: by the processor's customer id, then by email. */
export class Referrals {
  readonly #all: SettledReferral[] = [];
  readonly #emails = new Map<string, string>();
  readonly #history: CustomerHistory;
  /** Which referral a customer id or an email turned out to be of, whatever was changed in it by hand since. */
  readonly #known_as = new Map<string, SettledReferral>();

  constructor(history: CustomerHistory) {
    this.#history = history;
    for (const { event } of history.events) {
      if (event.kind === "customer" && event.email !== null) this.#emails.set(event.customer_id, event.email);
    }
    const references = new Set(history.events.map(referenceOf));
    for (const known of history.referrals) this.#all.push(settled(known, references));
  }

  /** The email of whom an event is about. */
  emailOf({ email, customer_id }: Told): string | null {
    return email ?? (customer_id === null ? null : (this.#emails.get(customer_id) ?? null));
  }

  /** The referral of whom an event is about, if there was one at that time. */
  find(event: Told, at: Date): SettledReferral | null {
    return this.#match(event, ({ since }) => since <= at);
  }

  /** Whether there is a referral that no checkout made; it came later, and nobody else gets the customer. */
  hasOwnLater(event: Told): boolean {
    return this.#match(event, () => true) !== null;
  }

  #match(event: Told, isMeant: (referral: SettledReferral) => boolean): SettledReferral | null {
    const { customer_id } = event;
    const email = this.emailOf(event)?.toLowerCase() ?? null;
    const there = this.#all.filter((referral) => referral.is_there && isMeant(referral));
    const knownAs = (name: string) => there.find((referral) => referral === this.#known_as.get(name));
    return (
      (customer_id === null
        ? undefined
        : (there.find((referral) => referral.customer_id === customer_id) ?? knownAs(customer_id))) ??
      (email === null
        ? undefined
        : (there.find((referral) => referral.email.toLowerCase() === email) ?? knownAs(email))) ??
      null
    );
  }

  /** Makes a referral, or makes one that is there already what it should be. */
  bind({
    email,
    customer_id,
    winner,
    by,
    at,
    candidates,
  }: {
    email: string;
    customer_id: string | null;
    winner: JudgedAffiliate;
    by: EventReference;
    at: Date;
    candidates: CandidateResult[];
  }): SettledReferral {
    const bound = { affiliate_id: winner.affiliate_id, bound_by: by, since: at, is_there: true, candidates };
    const later = this.#madeLater({ email, customer_id, by });
    if (later !== undefined) return Object.assign(later, bound);
    const referral = { id: null, email, customer_id, processor_status: null, ...bound };
    this.#all.push(referral);
    return referral;
  }

  /** One that this event made, or that a later event made before this one was told of. */
  #madeLater({
    email,
    customer_id,
    by,
  }: {
    email: string;
    customer_id: string | null;
    by: EventReference;
  }): SettledReferral | undefined {
    const others = this.#all.filter(({ is_there, bound_by }) => !is_there && bound_by !== null);
    return (
      others.find(({ bound_by }) => bound_by === by) ??
      others.find((one) => customer_id !== null && one.customer_id === customer_id) ??
      others.find((one) => one.email.toLowerCase() === email.toLowerCase())
    );
  }

  /** Notes by what else a referral is known. Its first customer id is kept with it. */
  know(referral: SettledReferral, event: Told): void {
    const { customer_id } = event;
    const email = this.emailOf(event)?.toLowerCase() ?? null;
    if (email !== null && !this.#known_as.has(email)) this.#known_as.set(email, referral);
    if (customer_id === null) return;
    if (!this.#known_as.has(customer_id)) this.#known_as.set(customer_id, referral);
    const is_taken = this.#all.some((other) => other.customer_id === customer_id);
    if (referral.customer_id === null && !is_taken) referral.customer_id = customer_id;
  }

  outcomes(): ReferralOutcome[] {
    this.#readStatuses();
    return this.#all.filter(({ is_there }) => is_there);
  }

  /** The best of a referral's subscriptions tells where it stands. */
  #readStatuses(): void {
    for (const { event } of this.#history.events) {
      if (event.kind !== "subscription" || event.status === null || event.customer_id === null) continue;
      const { customer_id } = event;
      const referral =
        this.#all.find((one) => one.customer_id === customer_id) ?? this.#known_as.get(customer_id);
      if (referral === undefined) continue;
      const { processor_status } = referral;
      if (processor_status === null || STANDING[event.status] > STANDING[processor_status]) {
        referral.processor_status = event.status;
      }
    }
  }
}

const STANDING = { canceled: 0, past_due: 1, trialing: 2, active: 3 };

function settled(
  { bound_by, signup_date, processor_customer_id, ...known }: KnownReferral,
  references: ReadonlySet<EventReference>,
): SettledReferral {
  const is_manual = bound_by === null;
  return {
    id: known.id,
    email: known.email,
    customer_id: processor_customer_id,
    affiliate_id: known.affiliate_id,
    bound_by,
    since: is_manual ? new Date(signup_date.getTime() - SIGNUP_TOLERANCE_MILLISECONDS) : signup_date,
    processor_status: null,
    // What another customer's checkout made stands as it is; what one of these made is made again by it.
    is_there: bound_by === null || !references.has(bound_by),
    candidates: [],
  };
}
