import { groupBy } from "../../group-by.ts";
import { CustomerRecords, KnownEmails } from "../facts/emails.ts";
import {
  customerKey,
  customerOf,
  emailKey,
  type FactReference,
  partNames,
  referenceOf,
} from "../facts/fact-names.ts";
import { trialSince } from "../facts/merge.ts";
import { SIGN_UP_TOLERANCE_MILLISECONDS, type Touch } from "../facts/touches.ts";
import type { CandidateResult, RejectionReason } from "./attribute.ts";
import type { CustomerHistory, KnownReferral } from "./history.ts";
import { decidedAs } from "./known-decisions.ts";
import type { ReferralOutcome } from "./outcome.ts";

/** A referral while a customer's facts are processed. */
export interface AttributedReferral extends ReferralOutcome {
  /**
   * Created by a page's sign-up: evidence at a checkout is stronger, until a checkout or payment confirms the referral.
   */
  is_weak: boolean;
}

/** The referral of a touch, and how it was found. */
export interface AttributedTouch {
  referral: AttributedReferral | null;
  /** Why the customer has no referral. Null: no candidate was refused. */
  rejection: RejectionReason | "no_email" | "paid_before_referral" | null;
  /** The candidates so far, with the last result of each. */
  candidates: readonly CandidateResult[];
}

/**
 * A customer's referrals, found by the processor's customer id, then by email. Those created by facts are built from
 * scratch each time, so that no data of an earlier, shorter history remains. They are matched with stored rows at the
 * end.
 *
 * Each lookup uses an index, because a customer may have thousands of referrals when as many customer ids of the
 * processor share a subscription.
 */
export class Referrals {
  readonly #all = new Set<AttributedReferral>();
  /** The referrals by the keys of customer ids and emails. */
  readonly #by_name = new NameIndex<AttributedReferral>();
  readonly #manual = new Map<string, AttributedReferral>();
  readonly #history: CustomerHistory;
  /** Rows of referrals that these facts created before. */
  readonly #made: KnownReferral[];
  readonly #made_by: ReadonlyMap<FactReference | null, KnownReferral>;
  /** The time of each referral's first manual commission, by referral id. */
  readonly #first_manual_commissions: ReadonlyMap<string, Date>;
  readonly #emails: KnownEmails;
  readonly #records: CustomerRecords;
  /** The referral with an id or email, including manual changes. It may have been dropped. */
  readonly #known_as = new Map<string, AttributedReferral>();

  constructor(history: CustomerHistory) {
    this.#history = history;
    const { relations } = history;
    this.#emails = new KnownEmails([...history.facts, ...relations.charge_payments], relations.nameOf);
    this.#records = new CustomerRecords(history.facts);
    const is_made = madeBy(history);
    this.#made = history.referrals.filter(is_made);
    // The first, if there are several.
    this.#made_by = new Map(this.#made.toReversed().map((known) => [known.attributed_by, known]));
    this.#first_manual_commissions = firstManualCommissions(history);
    for (const known of history.referrals) if (!is_made(known)) this.#addKnown(known);
  }

  /** The email of a touch's customer: its own, or the customer's email at that time. */
  emailOf(touch: Touch, at: Date): string | null {
    return this.#emails.of(touch, at);
  }

  /** A referral that no fact created. */
  manual(id: string): AttributedReferral | null {
    return this.#manual.get(id) ?? null;
  }

  /** The referral of a touch's customer, if it existed at that time. */
  find(touch: Touch, at: Date): AttributedReferral | null {
    return this.#match(touch, at, ({ since }) => since <= at);
  }

  /** A referral that was created later and not by facts: no other affiliate gets the customer. */
  findLater(touch: Touch, at: Date): AttributedReferral | null {
    return this.#match(touch, at, () => true);
  }

  /** The referral with an email, whenever it was created. */
  ofEmail(email: string): AttributedReferral | null {
    return this.#named([emailKey(email)], () => true);
  }

  #match(
    touch: Touch,
    at: Date,
    isMeant: (referral: AttributedReferral) => boolean,
  ): AttributedReferral | null {
    const { customer_id } = touch.fact;
    const email = this.emailOf(touch, at);
    const names: string[] = [];
    if (customer_id !== null) names.push(customerKey(customer_id));
    if (email !== null) names.push(emailKey(email));
    const found = this.#named(names, isMeant) ?? this.#named(this.#records.tiedTo(names, at), isMeant);
    // A payment without a customer belongs to the customer of its subscription.
    if (found !== null || customer_id !== null || touch.fact.email !== null) return found;
    return this.#named(partNames(touch), isMeant);
  }

  /** The referral with the first of these names that finds one. */
  #named(
    names: readonly string[],
    isMeant: (referral: AttributedReferral) => boolean,
  ): AttributedReferral | null {
    for (const name of names) {
      const found = this.#by_name.find(name, isMeant);
      if (found !== undefined) return found;
      const known = this.#knownAs(name);
      if (known !== undefined && isMeant(known)) return known;
    }
    return null;
  }

  #knownAs(name: string): AttributedReferral | undefined {
    const known = this.#known_as.get(name);
    return known !== undefined && this.#all.has(known) ? known : undefined;
  }

  /** Whether another referral of the customer, under any name, is older than the given time. */
  isReferredBefore(moment: Date, own: AttributedReferral | null): boolean {
    for (const referral of this.#all) if (referral !== own && referral.since < moment) return true;
    return false;
  }

  /** Whether a manual commission was created before the given time for the referral of a fact. */
  hasManualCommission(by: FactReference, at: Date): boolean {
    const row = this.#made_by.get(by);
    const first = row === undefined ? undefined : this.#first_manual_commissions.get(row.id);
    return first !== undefined && first <= at;
  }

  /** Drops a referral after a self-referral. */
  drop(referral: AttributedReferral): void {
    this.#all.delete(referral);
    this.#by_name.delete(emailKey(referral.email), referral);
    if (referral.customer_id !== null) this.#by_name.delete(customerKey(referral.customer_id), referral);
  }

  /** Creates a referral. */
  bind({
    by,
    at,
    ...input
  }: {
    email: string;
    customer_id: string | null;
    affiliate_id: string;
    by: FactReference;
    at: Date;
    signup_date: Date;
    is_weak: boolean;
    candidates: CandidateResult[];
  }): AttributedReferral {
    const { customer_id } = input;
    return this.#add({
      ...input,
      id: null,
      customer_id: customer_id === null || this.#by_name.has(customerKey(customer_id)) ? null : customer_id,
      moved_to: null,
      attributed_by: by,
      since: at,
      processor_status: null,
      trial_at: null,
      customer_country: null,
    });
  }

  #addKnown(known: KnownReferral): void {
    const referral = this.#add(attributed(known));
    if (known.attributed_by === null) this.#manual.set(known.id, referral);
  }

  #add(referral: AttributedReferral): AttributedReferral {
    this.#all.add(referral);
    this.#by_name.add(emailKey(referral.email), referral);
    if (referral.customer_id !== null) this.#by_name.add(customerKey(referral.customer_id), referral);
    return referral;
  }

  /** Records the names of a touch for its referral. The first customer id stays. */
  know(referral: AttributedReferral, touch: Touch, at: Date): void {
    const { customer_id } = touch.fact;
    const email = this.emailOf(touch, at);
    const names = partNames(touch);
    if (email !== null) names.push(emailKey(email));
    if (customer_id !== null) names.push(customerKey(customer_id));
    names.push(...this.#manualNamesOf(referral));
    for (const name of names) if (this.#knownAs(name) === undefined) this.#known_as.set(name, referral);
    if (customer_id !== null) this.#giveCustomer(referral, customer_id);
  }

  /** The names that a person gave to a referral that these facts, or a credit for one of them, created before. */
  #manualNamesOf({ attributed_by }: AttributedReferral): string[] {
    const row = this.#made_by.get(attributed_by);
    if (row === undefined) return [];
    const { email, email_is_manual, processor_customer_id, customer_id_is_manual } = row;
    const names: string[] = [];
    if (email_is_manual) names.push(emailKey(email));
    if (customer_id_is_manual && processor_customer_id !== null)
      names.push(customerKey(processor_customer_id));
    return names;
  }

  /** Gives a referral its customer id, if it has none and no other referral has this one. */
  #giveCustomer(referral: AttributedReferral, customer_id: string): void {
    if (referral.customer_id !== null || this.#by_name.has(customerKey(customer_id))) return;
    referral.customer_id = customer_id;
    this.#by_name.add(customerKey(customer_id), referral);
  }

  /** The referrals with their rows, if any, and the rows without a referral. `moved_to` is the customer's new affiliate. */
  outcomes(moved_to: string | null): { referrals: ReferralOutcome[]; superseded: string[] } {
    this.#readRecords();
    this.#readStatuses();
    this.#readCountries();
    const referrals = [...this.#all];
    for (const referral of referrals) referral.moved_to = moved_to;
    const superseded = assignRows(
      referrals.filter(({ id }) => id === null),
      this.#made,
    );
    return { referrals, superseded: superseded.map(({ id }) => id) };
  }

  /** A customer record with a referral's email has its customer id, also before any payment. */
  #readRecords(): void {
    const any = () => true;
    for (const { id_key, emails } of this.#records.all) {
      const names = [id_key, ...emails.map(({ key }) => key)];
      const referral = this.#named(names, any) ?? this.#named(this.#records.tiedTo(names, END_OF_TIME), any);
      if (referral === null) continue;
      if (this.#knownAs(id_key) === undefined) this.#known_as.set(id_key, referral);
      this.#giveCustomer(referral, customerOf(id_key));
    }
  }

  /** The most active of a referral's subscriptions determines its status, and the first one in a trial its trial. */
  #readStatuses(): void {
    for (const stored of this.#history.facts) {
      const { fact } = stored;
      if (fact.kind !== "subscription" || fact.status === null || fact.customer_id === null) continue;
      // A referral may know the email alone, which a checkout has beside the customer's id.
      const email = this.#emails.of(stored, fact.at);
      const names = [customerKey(fact.customer_id), ...(email === null ? [] : [emailKey(email)])];
      const referral = this.#named(names, () => true);
      if (referral === null) continue;
      const { processor_status } = referral;
      if (processor_status === null || STATUS_RANK[fact.status] > STATUS_RANK[processor_status]) {
        referral.processor_status = fact.status;
      }
      referral.trial_at = earlierTrial(referral, trialSince(fact));
    }
  }

  /** The latest country that a processor reported of a referral's customer. */
  #readCountries(): void {
    const latest = new Map<AttributedReferral, { at: Date; order: string }>();
    for (const { fact } of this.#history.facts) {
      if (!("country" in fact) || fact.country === undefined) continue;
      const names = [
        ...(fact.customer_id === null ? [] : [customerKey(fact.customer_id)]),
        ...(fact.email === null ? [] : [emailKey(fact.email)]),
      ];
      const referral = this.#named(names, () => true);
      if (referral === null) continue;
      const known = latest.get(referral);
      const order = `${fact.kind} ${fact.subject}`;
      const is_later =
        known === undefined ||
        fact.at > known.at ||
        (fact.at.getTime() === known.at.getTime() && order > known.order);
      if (!is_later) continue;
      latest.set(referral, { at: fact.at, order });
      referral.customer_country = fact.country;
    }
  }
}

/** Whether one of the facts created a referral. */
function madeBy({ facts, referrals }: CustomerHistory): (known: KnownReferral) => boolean {
  if (referrals.every(({ attributed_by }) => attributed_by === null)) return () => false;
  const references = new Set(facts.flatMap((stored) => [referenceOf(stored), decidedAs(stored)]));
  return ({ attributed_by }) => attributed_by !== null && references.has(attributed_by);
}

const END_OF_TIME = new Date(8_640_000_000_000_000);

/** With several subscriptions, the status with the highest rank is shown. */
const STATUS_RANK = { canceled: 0, past_due: 1, trialing: 2, active: 3 };

function firstManualCommissions({ manual_commissions }: CustomerHistory): Map<string, Date> {
  const first = new Map<string, Date>();
  for (const { referral_id, created_at } of manual_commissions) {
    const known = first.get(referral_id);
    if (known === undefined || created_at < known) first.set(referral_id, created_at);
  }
  return first;
}

/** A referral that no fact of this customer created stays unchanged. */
function attributed(known: KnownReferral): AttributedReferral {
  const {
    id,
    email,
    processor_customer_id,
    affiliate_id,
    signup_date,
    attributed_by,
    customer_id_is_manual,
  } = known;
  const tolerance = attributed_by === null ? SIGN_UP_TOLERANCE_MILLISECONDS : 0;
  return {
    id,
    email,
    customer_id: customer_id_is_manual || attributed_by !== null ? processor_customer_id : null,
    affiliate_id,
    moved_to: null,
    attributed_by,
    since: new Date(signup_date.getTime() - tolerance),
    signup_date,
    processor_status: null,
    trial_at: null,
    customer_country: null,
    candidates: [],
    is_weak: false,
  };
}

/**
 * Assigns each new referral the most similar stored row: created by the same fact, else with the same email, else with
 * the same customer id, else any. Returns the unassigned rows.
 */
function assignRows(referrals: readonly ReferralOutcome[], rows: readonly KnownReferral[]): KnownReferral[] {
  const free = new Set(rows);
  const assign = (
    nameOf: (referral: ReferralOutcome) => string | null,
    nameOfRow: (row: KnownReferral) => string | null,
  ) => {
    // Reversed, because rows are popped from the end.
    const named = [...free].reverse().filter((row) => nameOfRow(row) !== null);
    const by_name = groupBy(named, (row) => nameOfRow(row) ?? "");
    for (const referral of referrals) {
      const name = referral.id === null ? nameOf(referral) : null;
      const row = name === null ? undefined : by_name.get(name)?.pop();
      if (row === undefined) continue;
      referral.id = row.id;
      free.delete(row);
    }
  };
  assign(
    ({ attributed_by }) => attributed_by,
    ({ attributed_by }) => attributed_by,
  );
  assign(
    ({ email }) => emailKey(email),
    ({ email }) => emailKey(email),
  );
  assign(
    ({ customer_id }) => customer_id,
    ({ processor_customer_id }) => processor_customer_id,
  );
  const any = () => "any";
  assign(any, any);
  return [...free];
}

/** By the ids of their rows: the facts that now create referrals that people named while others created them. */
export function creatorsOfNamed(
  rows: readonly KnownReferral[],
  referrals: readonly ReferralOutcome[],
): Map<string, FactReference> {
  const named = rows.filter(
    ({ email_is_manual, customer_id_is_manual }) => email_is_manual || customer_id_is_manual,
  );
  const former = new Map(named.map(({ id, attributed_by }) => [id, attributed_by]));
  const creators = new Map<string, FactReference>();
  for (const { id, attributed_by } of referrals) {
    const by = id === null ? undefined : former.get(id);
    if (by && id !== null && attributed_by !== null && attributed_by !== by) creators.set(id, attributed_by);
  }
  return creators;
}

/** Items by a name that several may share, in insertion order. */
class NameIndex<Item> {
  readonly #by_name = new Map<string, Set<Item>>();

  has(name: string): boolean {
    return this.#by_name.has(name);
  }

  find(name: string, isMeant: (item: Item) => boolean): Item | undefined {
    for (const item of this.#by_name.get(name) ?? []) if (isMeant(item)) return item;
    return undefined;
  }

  add(name: string, item: Item): void {
    const known = this.#by_name.get(name);
    if (known === undefined) this.#by_name.set(name, new Set([item]));
    else known.add(item);
  }

  delete(name: string, item: Item): void {
    const known = this.#by_name.get(name);
    known?.delete(item);
    if (known?.size === 0) this.#by_name.delete(name);
  }
}

/** When a referral began: its sign-up, also if evidence at a later checkout gave it another affiliate. */
export function beganAt({ since, signup_date }: Pick<ReferralOutcome, "since" | "signup_date">): Date {
  return since < signup_date ? since : signup_date;
}

/** The earlier one of two trials of a referral, but those since it began before all others. */
function earlierTrial(referral: ReferralOutcome, trial_at: Date | null): Date | null {
  const { trial_at: known } = referral;
  if (known === null || trial_at === null) return known ?? trial_at;
  const began = beganAt(referral);
  const is_early = trial_at < began;
  if (is_early !== known < began) return is_early ? known : trial_at;
  return trial_at < known ? trial_at : known;
}
