import { isSameAddress } from "../attribution/self-referral.ts";
import type { Candidate } from "./judged.ts";
import type { JudgedAffiliate } from "./terms.ts";

/** Clocks of browsers' servers and processors differ a little. */
const CLOCK_TOLERANCE_MILLISECONDS = 5 * 60 * 1000;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Why a candidate did not get the customer. */
export type Refusal =
  | "affiliate_banned"
  | "affiliate_unapproved"
  | "click_expired"
  | "click_after_checkout"
  | "self_referral";

/** What became of a candidate, as a decision shows it. */
export interface CandidateResult {
  source: Candidate["source"];
  reference: string;
  affiliate_id: string;
  /** `lost`: another one was before it. */
  result: "won" | "lost" | Refusal;
}

export interface Attribution {
  winner: JudgedAffiliate | null;
  /** Why there is no winner: what the first candidate was refused for. Null: there was none. */
  refusal: Refusal | null;
  results: CandidateResult[];
}

/**
 * Who brought the customer of a checkout or payment: the first promo code, else the last click, of an
 * affiliate in good standing. Who buys by a code of their own brought nobody, and nobody else did.
 */
export function attribute(
  candidates: readonly Candidate[],
  {
    at,
    email,
    affiliateOf,
  }: {
    at: Date;
    /** The customer's. */
    email: string | null;
    affiliateOf: (id: string) => JudgedAffiliate | undefined;
  },
): Attribution {
  const results: CandidateResult[] = [];
  let winner: JudgedAffiliate | null = null;
  let is_decided = false;
  for (const candidate of inOrder(candidates)) {
    const { source, reference, affiliate_id } = candidate;
    const affiliate = affiliateOf(affiliate_id);
    if (affiliate === undefined) continue;
    const refusal = refusalOf(candidate, { at, email, affiliate });
    const result = is_decided ? "lost" : (refusal ?? "won");
    results.push({ source, reference, affiliate_id, result });
    if (is_decided) continue;
    if (refusal === null) winner = affiliate;
    is_decided = refusal === null || refusal === "self_referral";
  }
  return { winner, refusal: winner === null ? firstRefusal(results) : null, results };
}

/** Promo codes as they were used, then clicks, the last one first. */
function inOrder(candidates: readonly Candidate[]): Candidate[] {
  const codes = candidates.filter(({ source }) => source === "promo_code");
  const clicks = candidates.filter(({ source }) => source === "click");
  const time = ({ clicked_at }: Candidate) => clicked_at?.getTime() ?? 0;
  return [...codes, ...clicks.sort((a, b) => time(b) - time(a))];
}

function refusalOf(
  { clicked_at }: Candidate,
  { at, email, affiliate }: { at: Date; email: string | null; affiliate: JudgedAffiliate },
): Refusal | null {
  if (affiliate.banned) return "affiliate_banned";
  if (!affiliate.approved) return "affiliate_unapproved";
  if (clicked_at !== null) {
    const age = at.getTime() - clicked_at.getTime();
    if (age > affiliate.terms.cookie_duration * DAY_MILLISECONDS) return "click_expired";
    if (age < -CLOCK_TOLERANCE_MILLISECONDS) return "click_after_checkout";
  }
  return email !== null && isSameAddress(email, affiliate.email) ? "self_referral" : null;
}

function firstRefusal(results: readonly CandidateResult[]): Refusal | null {
  for (const { result } of results) if (result !== "won" && result !== "lost") return result;
  return null;
}
