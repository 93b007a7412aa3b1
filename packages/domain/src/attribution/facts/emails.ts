import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { customerKey, emailKey, partNames } from "./fact-names.ts";
import type { CustomerFact, PaymentFact } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

/** An email and the time of its first report. */
interface ReportedEmail {
  email: string;
  since: Date;
  /** The tie-break for reports at the same time: a customer record comes first. */
  rank: number;
}

/**
 * Finds the email of each fact's customer. An email counts from any report: a customer record, a checkout, or a
 * payment. A fact without an email gets the email that its customer had at that time, or else the first one reported
 * later. Without a customer id, it gets the email of the same payment, then of the same subscription or order.
 *
 * A lookup costs a binary search, because a customer may have thousands of payments.
 */
export class KnownEmails {
  readonly #by_name = new Map<string, ReportedEmail[]>();

  readonly #paymentOf: (stored: StoredFact) => string;

  /** `paymentOf` names the payment of a fact; facts of the same payment share the name. */
  constructor(facts: readonly StoredFact[], paymentOf: (stored: StoredFact) => string) {
    this.#paymentOf = paymentOf;
    for (const stored of facts) {
      const reported = reportedEmails(stored.fact);
      if (reported.length === 0) continue;
      for (const name of this.#namesOf(stored)) {
        const known = this.#by_name.get(name);
        if (known === undefined) this.#by_name.set(name, [...reported]);
        else known.push(...reported);
      }
    }
    for (const known of this.#by_name.values()) known.sort(byTime);
  }

  /** The email of a fact's customer: its own, or one from other facts. */
  of(stored: StoredFact, at: Date): string | null {
    const { fact } = stored;
    if (fact.kind !== "customer" && "email" in fact && fact.email !== null) return fact.email;
    const [customer, ...others] = this.#namesOf(stored);
    // Several customers may share an order, so only a guest's email is found by payment and order.
    const names = customerIdOf(fact) === null ? [customer, ...others] : [customer];
    for (const name of names) {
      const known = name === undefined ? undefined : this.#by_name.get(name);
      if (known !== undefined) return emailAt(known, at);
    }
    return null;
  }

  /** Names under which the email of a fact is known, the closest first. */
  #namesOf(stored: StoredFact): string[] {
    const customer_id = customerIdOf(stored.fact);
    const of_customer = customer_id === null ? [] : [customerKey(customer_id)];
    return [...of_customer, this.#paymentOf(stored), ...partNames(stored)];
  }
}

function customerIdOf(fact: PaymentFact): string | null {
  return "customer_id" in fact ? fact.customer_id : null;
}

function reportedEmails(fact: PaymentFact): ReportedEmail[] {
  switch (fact.kind) {
    case "customer":
      return (fact.emails ?? []).map(({ email, since }) => ({ email, since, rank: 0 }));
    case "checkout":
      return fact.email === null ? [] : [{ email: fact.email, since: fact.opened_at, rank: 1 }];
    case "payment":
      return fact.email === null ? [] : [{ email: fact.email, since: fact.paid_at, rank: 2 }];
    default:
      return [];
  }
}

/** Sorted, so that the order of the reports does not matter. */
function byTime(a: ReportedEmail, b: ReportedEmail): number {
  return (
    a.since.getTime() - b.since.getTime() ||
    // The last report of a time counts.
    b.rank - a.rank ||
    compare(lowerCase(b.email), lowerCase(a.email)) ||
    compare(b.email, a.email)
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The last email up to a time, or else the first one after it. */
function emailAt(known: readonly ReportedEmail[], at: Date): string | null {
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const reported = known[middle];
    if (reported !== undefined && reported.since <= at) low = middle + 1;
    else high = middle;
  }
  return (known[low - 1] ?? known[0])?.email ?? null;
}

/** The names in a processor's record of one customer. */
export interface CustomerRecord {
  /** The key of its id. */
  id_key: string;
  /** The keys of its emails, each from its first report on. */
  emails: readonly { key: string; since: Date }[];
}

/**
 * The names that processors' customer records tie together: the id of a customer, and the emails that the customer had
 * so far. A customer who changes the email stays the same customer, and a later email finds the customer too.
 */
export class CustomerRecords {
  readonly all: readonly CustomerRecord[];
  readonly #by_name = new Map<string, CustomerRecord[]>();

  constructor(facts: readonly StoredFact[]) {
    this.all = facts
      .flatMap(({ fact }) => (fact.kind === "customer" ? recordOf(fact) : []))
      .sort((a, b) => (a.id_key < b.id_key ? -1 : 1));
    for (const record of this.all) {
      for (const name of new Set([record.id_key, ...record.emails.map(({ key }) => key)])) {
        this.#by_name.set(name, [...(this.#by_name.get(name) ?? []), record]);
      }
    }
  }

  /** The other names that the customer with these names has in records at a time, the closest first. */
  tiedTo(names: readonly string[], at: Date): string[] {
    const found = new Set(names);
    // A set gives the names that are added during the loop, too.
    for (const name of found) {
      for (const { id_key, emails } of this.#by_name.get(name) ?? []) {
        const known = emails.filter(({ since }) => since <= at).map(({ key }) => key);
        if (name !== id_key && !known.includes(name)) continue;
        found.add(id_key);
        for (const key of known) found.add(key);
      }
    }
    return [...found].slice(new Set(names).size);
  }
}

function recordOf({ customer_id, emails = [] }: CustomerFact): CustomerRecord {
  return {
    id_key: customerKey(customer_id),
    emails: emails.map(({ email, since }) => ({ key: emailKey(email), since })),
  };
}

/** Providers that ignore dots in a mailbox's name, with their canonical domain. */
const DOTLESS_DOMAINS = new Map([
  ["gmail.com", "gmail.com"],
  ["googlemail.com", "gmail.com"],
]);

/**
 * Whether two email addresses reach the same mailbox, ignoring case, a `+tag`, and dots in Gmail addresses. Detects
 * self-referrals.
 */
export function isSameAddress(a: string, b: string): boolean {
  return mailboxOf(a) === mailboxOf(b);
}

function mailboxOf(address: string): string {
  const lower = address.trim().toLowerCase();
  const at = lower.lastIndexOf("@");
  if (at === -1) return lower;
  const domain = lower.slice(at + 1);
  const name = withoutTag(lower.slice(0, at));
  const dotless = DOTLESS_DOMAINS.get(domain);
  return dotless === undefined ? `${name}@${domain}` : `${name.replaceAll(".", "")}@${dotless}`;
}

/** A name that consists only of a tag stays as it is. */
function withoutTag(name: string): string {
  const plus = name.indexOf("+");
  return plus > 0 ? name.slice(0, plus) : name;
}
