import { customerKey, emailKey } from "./fact-names.ts";
import type { CustomerFact } from "./payment-fact.ts";
import type { StoredFact } from "./stored-fact.ts";

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

  /** The other names of the customer with these names, as records tell them at a time, the closest first. */
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
