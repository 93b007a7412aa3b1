import { isSameAddress } from "../facts/emails.ts";
import { candidateKey, type NamedCandidate } from "../facts/named-candidates.ts";
import type { AffiliateSnapshot, Candidate } from "../facts/stored-fact.ts";

/** Tolerance for clock differences between browsers' servers and processors. */
const CLOCK_TOLERANCE_MILLISECONDS = 5 * 60 * 1000;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

export interface Attribution {
  winner: AffiliateSnapshot | null;
  /** Why there is no winner: a self-referral, or the first candidate's reason. Null: there was no candidate. */
  rejection: RejectionReason | null;
  results: AttributedCandidate[];
}

interface Circumstances {
  /** When the checkout was opened or the payment was made. */
  at: Date;
  /** The customer's email. */
  email: string | null;
  affiliateOf: (id: string) => AffiliateSnapshot | undefined;
  /** Whether the customer paid before a moment while no referral covered the payment. */
  paidBefore: (moment: Date) => boolean;
  /** For a sign-up: the customer is older than its click. */
  is_customer: boolean;
}

/** A candidate with its affiliate and whether it may win. */
interface Assessed {
  candidate: Candidate;
  affiliate: AffiliateSnapshot;
  rejection: RejectionReason | null;
}

/**
 * Finds the affiliate that referred the customer of a checkout or payment: the first promo code, otherwise a click, of
 * an approved affiliate. A self-referral has no winner, and no other affiliate gets the customer instead.
 */
export function attribute(candidates: readonly Candidate[], circumstances: Circumstances): Attribution {
  const results: AttributedCandidate[] = [];
  let winner: AffiliateSnapshot | null = null;
  let is_decided = false;
  for (const { candidate, affiliate, rejection } of byStrength(assess(candidates, circumstances))) {
    const { source, reference, affiliate_id } = candidate;
    const result = is_decided ? "lost" : (rejection ?? "won");
    results.push({ source, reference, affiliate_id, result });
    if (is_decided) continue;
    if (rejection === null) winner = affiliate;
    is_decided = rejection === null || rejection === "self_referral";
  }
  return { winner, rejection: winner === null ? rejectionAmong(results) : null, results };
}

function assess(candidates: readonly Candidate[], circumstances: Circumstances): Assessed[] {
  return candidates.flatMap((candidate) => {
    const affiliate = circumstances.affiliateOf(candidate.affiliate_id);
    if (affiliate === undefined) return [];
    return { candidate, affiliate, rejection: rejectionOf(candidate, affiliate, circumstances) };
  });
}

/** Promo codes in the order of use, then the other candidates, the last click first. */
function byStrength(all: readonly Assessed[]): Assessed[] {
  const codes = all.filter(({ candidate }) => candidate.source === "promo_code");
  const clicks = all.filter(({ candidate }) => candidate.source !== "promo_code");
  return [...codes, ...inClickOrder(clicks)];
}

/**
 * Orders clicks of different campaigns, the last one first. If its campaign attributes to the first click, the
 * campaign's earliest click takes that place. Clicks that decide nothing stay at their own time. Among clicks at the same
 * time, the one that the checkout names first comes first.
 */
function inClickOrder(clicks: readonly Assessed[]): Assessed[] {
  const places: Assessed[][] = [];
  const of_campaign = new Map<string, Assessed[]>();
  for (const click of [...clicks].sort((a, b) => timeOf(b) - timeOf(a))) {
    const campaign = firstClickCampaign(click);
    const place = campaign === null ? undefined : of_campaign.get(campaign);
    if (place !== undefined) {
      place.push(click);
      continue;
    }
    const new_place = [click];
    places.push(new_place);
    if (campaign !== null) of_campaign.set(campaign, new_place);
  }
  return places.flatMap((place) => place.sort((a, b) => timeOf(a) - timeOf(b)));
}

/**
 * The campaign that attributes to the first click; null for a last-click campaign, or a click that decides nothing. A
 * customer's own click decides: if it is the first one, no affiliate earns.
 */
function firstClickCampaign({ affiliate: { terms }, rejection }: Assessed): string | null {
  const decides = rejection === null || rejection === "self_referral";
  return decides && terms.attribution === "first_click" ? terms.campaign_id : null;
}

function timeOf({ candidate }: Assessed): number {
  return candidate.clicked_at?.getTime() ?? 0;
}

function rejectionOf(
  { clicked_at }: Candidate,
  affiliate: AffiliateSnapshot,
  { at, email, paidBefore, is_customer }: Circumstances,
): RejectionReason | null {
  if (affiliate.banned) return "affiliate_banned";
  if (!affiliate.approved) return "affiliate_unapproved";
  const { cookie_duration, customers } = affiliate.terms;
  if (clicked_at !== null) {
    const age = at.getTime() - clicked_at.getTime();
    if (age > cookie_duration * DAY_MILLISECONDS) return "click_expired";
    if (age < -CLOCK_TOLERANCE_MILLISECONDS) return "click_after_checkout";
  }
  if (email !== null && isSameAddress(email, affiliate.email)) return "self_referral";
  if (is_customer) return "existing_customer";
  return customers === "new" && paidBefore(clicked_at ?? at) ? "existing_customer" : null;
}

/** Why nobody won: the self-referral that decided it, or else the first reason. */
function rejectionAmong(results: readonly AttributedCandidate[]): RejectionReason | null {
  if (results.some(({ result }) => result === "self_referral")) return "self_referral";
  for (const { result } of results) if (result !== "won" && result !== "lost") return result;
  return null;
}

/** Why a candidate did not win the customer. */
export type RejectionReason =
  | "affiliate_banned"
  | "affiliate_unapproved"
  | "click_expired"
  | "click_after_checkout"
  | "self_referral"
  | "existing_customer";

/** An affiliate's candidate and its result. */
export interface AttributedCandidate extends NamedCandidate {
  affiliate_id: string;
  /** `lost`: an earlier candidate won. */
  result: "won" | "lost" | RejectionReason;
}

/** A candidate and its result, as a decision shows them. */
export interface CandidateResult extends NamedCandidate {
  /** Null: the code or click belongs to no affiliate. */
  affiliate_id: string | null;
  result: AttributedCandidate["result"] | "unknown_code" | "unknown_click";
}

/** Maximum candidates per customer; the latest ones are stored. */
const MAX_RESULTS = 20;

/** Appends later results. Each candidate appears once, with its latest result. */
export function withResults(
  known: readonly CandidateResult[],
  added: readonly CandidateResult[],
): CandidateResult[] {
  const replaced = new Set(added.map(candidateKey));
  return [...known.filter((result) => !replaced.has(candidateKey(result))), ...added].slice(-MAX_RESULTS);
}

/** Adds the results of candidates that are not in the list yet, up to the limit. */
export function withOthers(
  known: readonly CandidateResult[],
  added: readonly CandidateResult[],
): CandidateResult[] {
  const keys = new Set(known.map(candidateKey));
  return [...known, ...added.filter((result) => !keys.has(candidateKey(result)))].slice(0, MAX_RESULTS);
}

/** Candidates that lost to an existing referral. */
export function lost(candidates: readonly Candidate[]): CandidateResult[] {
  return candidates.map(({ source, reference, affiliate_id }) => {
    return { source, reference, affiliate_id, result: "lost" };
  });
}

/** The result of a sign-up's candidate that won until stronger evidence arrived. */
export function markReplaced(candidate: CandidateResult): CandidateResult {
  return candidate.result === "won" ? { ...candidate, result: "lost" } : candidate;
}

/** Codes and clicks that belong to no affiliate. */
export function unknown(named: readonly NamedCandidate[]): CandidateResult[] {
  return named.map(({ source, reference }) => {
    const result = source === "promo_code" ? "unknown_code" : "unknown_click";
    return { source, reference, affiliate_id: null, result };
  });
}
