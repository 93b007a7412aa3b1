import { type SignalAction, type SignalName, signalNames } from "@findersfee/contract/attribution/signals";
import type { AffiliateSnapshot, Snapshot } from "../facts/stored-fact.ts";
import type { CandidateResult } from "./attribute.ts";

/** A signal of fraud that a payment has. */
export interface PaymentSignal {
  signal: SignalName;
  action: SignalAction;
  /** The evidence by name. */
  facts: Record<string, string>;
}

/**
 * The observations about a payment, by their subject. They are stored with the payment at its first decision,
 * so neither a later change nor the end of a click's retention alters them.
 */
export type Observations = NonNullable<Snapshot["observed"]>;

/**
 * The questions of signals: `domain` of a mail address; `ad` and `referrer` of a click; `network` of a click,
 * the day on which its affiliate used it, too; `clicks`, the clicks around a click; `payee` and `refunds` of
 * an affiliate: others with its payout email, and its refunds; `card` of an affiliate and a card; `signups`
 * of an affiliate and a time.
 */
export type ObservedKey =
  `${"domain" | "ad" | "referrer" | "network" | "clicks" | "payee" | "refunds" | "card" | "signups"} ${string}`;

/** Looks something up. Null: it is not known any more, such as an old click. */
export type Observe = (key: ObservedKey) => readonly string[] | null;

export interface Suspect {
  affiliate: AffiliateSnapshot;
  /** The customer's email when it paid. */
  email: string;
  /** The customer's sign-up. */
  signed_up_at: Date;
  /** The cards that paid, as hashes. */
  cards: readonly string[];
  /** The clicks and codes that refer the customer. */
  candidates: readonly CandidateResult[];
}

/** The domain of an email, in lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/** The signals that a payment has, of those that its affiliate's campaign does not leave off. */
export function findSignals(suspect: Suspect, observe: Observe): PaymentSignal[] {
  const { signals: actions = {} } = suspect.affiliate.terms;
  return signalNames.flatMap((signal) => {
    const action = actions[signal];
    const facts = action === undefined ? null : checks[signal](suspect, observe);
    return action === undefined || facts === null ? [] : { signal, action, facts };
  });
}

type Check = (suspect: Suspect, observe: Observe) => PaymentSignal["facts"] | null;

const checks: Record<SignalName, Check> = {
  shared_domain: ({ affiliate, email }, observe) => {
    const [of_customer, of_affiliate] = [email, affiliate.email].map((address) =>
      observe(`domain ${domainOf(address)}`),
    );
    const [kind, domain] = of_customer ?? [];
    if (kind !== "other" || domain === undefined || of_affiliate?.[1] !== domain) return null;
    return { domain };
  },
  disposable_email: ({ email }, observe) => {
    const domain = domainOf(email);
    return observe(`domain ${domain}`)?.[0] === "disposable" ? { domain } : null;
  },
  shared_payout_email: ({ affiliate: { affiliate_id } }, observe) => {
    const [affiliates, other] = observe(`payee ${affiliate_id}`) ?? [];
    return affiliates === undefined || other === undefined ? null : { affiliates, affiliate_id: other };
  },
  paid_search: (suspect, observe) =>
    firstOf(suspect, (click_id) => {
      const [parameter] = observe(`ad ${click_id}`) ?? [];
      return parameter === undefined ? null : { click_id, parameter };
    }),
  listed_referrer: (suspect, observe) =>
    firstOf(suspect, (click_id) => {
      const [host, listed] = observe(`referrer ${click_id}`) ?? [];
      return host === undefined || listed === undefined ? null : { click_id, host, listed };
    }),
  shared_network: (suspect, observe) =>
    firstOf(suspect, (click_id) => {
      const [day] = observe(`network ${click_id}`) ?? [];
      return day === undefined ? null : { click_id, day };
    }),
  shared_card: ({ affiliate: { affiliate_id }, cards }, observe) => {
    const day = cards.flatMap((card) => observe(`card ${affiliate_id} ${card}`) ?? []).sort()[0];
    return day === undefined ? null : { day };
  },
  many_clicks: (suspect, observe) =>
    firstOf(suspect, (click_id) => {
      const [clicks, networks] = observe(`clicks ${click_id}`) ?? [];
      return clicks === undefined || networks === undefined ? null : { click_id, clicks, networks };
    }),
  many_signups: ({ affiliate: { affiliate_id }, signed_up_at }, observe) => {
    const [signups] = observe(`signups ${affiliate_id} ${signed_up_at.toISOString()}`) ?? [];
    return signups === undefined ? null : { signups };
  },
  many_refunds: ({ affiliate: { affiliate_id } }, observe) => {
    const [refunded, payments, others_refunded, others] = observe(`refunds ${affiliate_id}`) ?? [];
    if (refunded === undefined || payments === undefined) return null;
    return { refunded, payments, others_refunded: others_refunded ?? "0", others: others ?? "0" };
  },
};

/**
 * The evidence of the first click with evidence, among the clicks of the affiliate that refer the customer.
 */
function firstOf(
  { affiliate, candidates }: Suspect,
  evidenceOf: (click_id: string) => PaymentSignal["facts"] | null,
): PaymentSignal["facts"] | null {
  for (const { source, reference, affiliate_id, result } of candidates) {
    const counts = result === "won" || result === "lost";
    if (source === "promo_code" || affiliate_id !== affiliate.affiliate_id || !counts) continue;
    const facts = evidenceOf(reference);
    if (facts !== null) return facts;
  }
  return null;
}
