import type { SignalName } from "@findersfee/contract/attribution/signals";
import type { AttributedReferralRow } from "@findersfee/database/attribution/customers";
import {
  findClicksAround,
  findRefundedShares,
  findSignUpsAround,
  type IdSpan,
  type SignUpMoment,
} from "@findersfee/database/attribution/signal-rates";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { AffiliateRow } from "@findersfee/database/rows";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import { firstIdOf } from "../../ids.ts";
import type { CandidatesOf } from "../facts/named-candidates.ts";
import {
  CLICK_SECONDS,
  evidenceOfClicks,
  evidenceOfRefunds,
  evidenceOfSignUps,
  MANY_CLICKS,
  MANY_SIGN_UPS,
  REFUNDED,
  SIGN_UP_SECONDS,
} from "../facts/rates.ts";
import type { Relations } from "../facts/relate.ts";
import type { AffiliateSnapshot, StoredFact } from "../facts/stored-fact.ts";
import { checkoutTime } from "../facts/touches.ts";

const HALF_MILLISECONDS = SIGN_UP_SECONDS * 500;
/** A sign-up that is recorded later, such as an imported one, does not count: ids are made of the time. */
const LATEST_MILLISECONDS = 24 * 60 * 60 * 1000;

/** The customers with the payments to decide, and their affiliates. */
export interface Observed extends Pick<CandidatesOf, "candidatesOf"> {
  /** The affiliates by id. */
  affiliates: readonly AffiliateRow[];
  /** Those of facts, and those that new ones get. */
  snapshots: readonly Pick<AffiliateSnapshot, "affiliate_id" | "terms">[];
  /** The clicks by id. */
  clicks: ReadonlyMap<string, ClickRow>;
  referrals: readonly AttributedReferralRow[];
  /** The facts by customer. */
  facts: ReadonlyMap<string, StoredFact[]>;
  relationsOf: (facts: readonly StoredFact[]) => Relations;
}

/** The affiliates that a signal concerns, by signal; without those that are off everywhere. */
export type Watched = ReadonlyMap<SignalName, ReadonlySet<string>>;

/** The observations about names of one kind. Null: nobody looked the name up. */
export type Found = (name: string, affiliate_id: string) => readonly string[] | null;

/** The answers about these names; empty for names without a finding. */
export function answersOf(names: readonly string[], found: readonly [string, readonly string[]][]): Found {
  const answers = new Map<string, readonly string[]>(names.map((name) => [name, []]));
  for (const [name, answer] of found) answers.set(name, answer);
  return (name) => answers.get(name) ?? null;
}

/** The clicks on links of these affiliates. */
export function clicksOf(
  clicks: Observed["clicks"],
  affiliates: ReadonlySet<string> | undefined,
): readonly ClickRow[] {
  if (affiliates === undefined) return [];
  return [...clicks.values()].filter(({ affiliate_id }) => affiliates.has(affiliate_id));
}

export async function loadClickRates(
  sql: Connection,
  organization_id: string,
  { watched, clicks }: { watched: Watched } & Observed,
): Promise<Found> {
  const asked = clicksOf(clicks, watched.get("many_clicks"));
  const around =
    asked.length === 0
      ? []
      : await findClicksAround(sql, organization_id, {
          clicks: asked,
          seconds: CLICK_SECONDS,
          at_least: MANY_CLICKS,
        });
  return answersOf(
    asked.map(({ id }) => id),
    around.map(({ id, ...counted }) => [id, evidenceOfClicks(counted)]),
  );
}

export async function loadSignUpRates(
  sql: Connection,
  organization_id: string,
  { watched, ...observed }: { watched: Watched } & Observed,
): Promise<Found> {
  const affiliates = watched.get("many_signups");
  const moments = affiliates === undefined ? [] : signUpMoments(observed, affiliates);
  const around =
    moments.length === 0
      ? []
      : await findSignUpsAround(sql, organization_id, {
          ...withSpans(moments),
          seconds: SIGN_UP_SECONDS,
          at_least: MANY_SIGN_UPS,
        });
  return answersOf(
    moments.map(nameOf),
    around.map(({ signups, ...moment }) => [nameOf(moment), evidenceOfSignUps(signups)]),
  );
}

/** The moments with the ids of sign-ups around them, and those around all moments of an affiliate. */
function withSpans(moments: readonly SignUpMoment[]) {
  const times = new Map<string, { first: number; last: number }>();
  for (const { affiliate_id, at } of moments) {
    const time = at.getTime();
    const { first, last } = times.get(affiliate_id) ?? { first: time, last: time };
    times.set(affiliate_id, { first: Math.min(first, time), last: Math.max(last, time) });
  }
  return {
    moments: moments.map((moment) => ({ ...moment, ...spanOf(moment.at.getTime()) })),
    spans: new Map([...times].map(([id, { first, last }]) => [id, spanOf(first, last)])),
  };
}

function spanOf(first: number, last = first): IdSpan {
  return {
    from_id: firstIdAt(first - HALF_MILLISECONDS),
    until_id: firstIdAt(last + HALF_MILLISECONDS + LATEST_MILLISECONDS),
  };
}

/** Ids have 48 bits of time. */
const firstIdAt = (milliseconds: number) =>
  firstIdOf(new Date(Math.min(Math.max(0, milliseconds), 0xffff_ffff_ffff)));

const nameOf = ({ affiliate_id, at }: SignUpMoment) => `${affiliate_id} ${at.toISOString()}`;

/** When the customers may have signed up with these affiliates: at the sign-up of a referral, or of a fact that creates one. */
function signUpMoments(
  { facts, referrals, candidatesOf, relationsOf }: Omit<Observed, "watched">,
  affiliates: ReadonlySet<string>,
): SignUpMoment[] {
  const moments = new Map<string, SignUpMoment>();
  const add = (moment: SignUpMoment) => {
    if (affiliates.has(moment.affiliate_id)) moments.set(nameOf(moment), moment);
  };
  for (const { affiliate_id, moved_from, signup_date: at } of referrals) {
    add({ affiliate_id, at });
    if (moved_from !== null) add({ affiliate_id: moved_from, at });
  }
  for (const of_customer of facts.values()) {
    const named = new Set(of_customer.flatMap(candidatesOf).map(({ affiliate_id }) => affiliate_id));
    for (const { fact } of of_customer) {
      if (fact.kind === "override" && fact.affiliate_id !== null) named.add(fact.affiliate_id);
    }
    const times = named.size === 0 ? [] : signUpTimes(of_customer, relationsOf(of_customer), candidatesOf);
    for (const affiliate_id of named) for (const at of times) add({ affiliate_id, at });
  }
  return [...moments.values()];
}

/** The times of a customer's sign-ups, checkouts and codes, and of the payments that have codes or clicks, or were credited. */
function signUpTimes(
  facts: readonly StoredFact[],
  relations: Relations,
  candidatesOf: CandidatesOf["candidatesOf"],
): Date[] {
  const { payments, chargesOf, idsOf } = relations;
  const times = facts.flatMap(({ fact, ...stored }) => {
    if (fact.kind === "signup") return fact.at;
    if (fact.kind === "checkout") return checkoutTime({ ...stored, fact }, relations);
    if (fact.kind === "customer") return (fact.referral_sources ?? []).map(({ since }) => since);
    return [];
  });
  const credited = new Set(
    facts.flatMap(({ fact }) => (fact.kind === "override" ? fact.payments.map(({ id }) => id) : [])),
  );
  const binding = payments.filter(
    (payment) =>
      [payment, ...chargesOf(payment)].some((stored) => candidatesOf(stored).length > 0) ||
      (credited.size > 0 && idsOf(payment).some((id) => credited.has(id))),
  );
  return [...times, ...binding.map(({ fact }) => fact.paid_at)];
}

export async function loadRefunds(
  sql: Connection,
  organization_id: string,
  watched: Watched,
): Promise<Found> {
  const affiliate_ids = [...(watched.get("many_refunds") ?? [])];
  const shares =
    affiliate_ids.length === 0
      ? []
      : await findRefundedShares(sql, organization_id, { affiliate_ids, ...REFUNDED });
  return answersOf(
    affiliate_ids,
    shares.map(({ affiliate_id, ...counted }) => [affiliate_id, evidenceOfRefunds(counted)]),
  );
}
