import type { RecruitLineRow } from "@findersfee/database/commissions/recruits";
import { newId } from "../ids.ts";
import { isInPayout, isSameCommission } from "./commission-state.ts";

/** The present shares of recruiters in a recruit's commission. */
export interface RecruitShares {
  root_id: string;
  referral_id: string;
  referral_date: Date;
  currency: string;
  /** By recruiter, greater than 0; the recruiter of the present recruit first. More than one after the commission was moved in a payout. */
  shares: ReadonlyMap<string, bigint>;
}

export interface RecruitChange {
  added: RecruitLineRow[];
  changed: RecruitLineRow[];
}

/**
 * Returns the changes that bring the commissions for a recruit's commission to the shares. One in no payout is changed directly. One
 * in a payout stays: the difference is added as a correction, and the next payout nets it. The result depends on nothing but the
 * shares and the stored rows, and their sum for each recruiter is the share, less corrections that a person voided.
 */
export function recruitChange(
  wanted: RecruitShares,
  { stored, now }: { stored: readonly RecruitLineRow[]; now: Date },
): RecruitChange {
  const original = stored.find(({ reversal_of }) => reversal_of === null);
  const [first, ...others] = wanted.shares;
  if (original === undefined) {
    if (first === undefined) return { added: [], changed: [] };
    const [affiliate_id, commission_minor] = first;
    const made = newLine(wanted, { affiliate_id, commission_minor, reversal_of: null, now });
    return { added: [made, ...corrections(others, { wanted, original: made, now })], changed: [] };
  }
  if (stored.length > 1 || isInPayout(original)) {
    return { added: corrections(differences(wanted, stored), { wanted, original, now }), changed: [] };
  }
  const changed = changedLine(original, wanted);
  return {
    added: corrections(others, { wanted, original, now }),
    changed: isSameCommission(original, changed) ? [] : [changed],
  };
}

/** A void one keeps its amount. */
function changedLine(original: RecruitLineRow, { shares, ...root }: RecruitShares): RecruitLineRow {
  const [first] = shares;
  if (first === undefined) return { ...original, payout_status: "voided" };
  const [affiliate_id, commission_minor] = first;
  const { referral_id, referral_date, currency } = root;
  return {
    ...original,
    ...{ affiliate_id, commission_minor, referral_id, referral_date, currency },
    payout_status: "not_paid",
  };
}

/**
 * The missing or excess amount of each recruiter. A correction that a person voided is not added again, and its amount is not
 * deducted.
 */
function differences(
  { shares, currency }: RecruitShares,
  stored: readonly RecruitLineRow[],
): [string, bigint, string][] {
  const sums = new Map<string, { affiliate_id: string; currency: string; live: bigint; counted: bigint }>();
  const sumOf = (affiliate_id: string, of: string) => {
    const key = `${affiliate_id} ${of}`;
    const sum = sums.get(key) ?? { affiliate_id, currency: of, live: 0n, counted: 0n };
    sums.set(key, sum);
    return sum;
  };
  for (const { affiliate_id, currency: of, commission_minor, payout_status, reversal_of } of stored) {
    const is_voided = payout_status === "voided";
    const sum = sumOf(affiliate_id, of);
    if (!is_voided) sum.live += commission_minor;
    if (!is_voided || reversal_of !== null) sum.counted += commission_minor;
  }
  for (const affiliate_id of shares.keys()) sumOf(affiliate_id, currency);
  return [...sums.values()].flatMap((sum) => {
    const share = sum.currency === currency ? (shares.get(sum.affiliate_id) ?? 0n) : 0n;
    const minor = difference(share, sum);
    return minor === 0n ? [] : [[sum.affiliate_id, minor, sum.currency] as [string, bigint, string]];
  });
}

/** Only corrections above 0 can be voided, so `counted`, which has them, is never below `live`. */
function difference(share: bigint, { live, counted }: { live: bigint; counted: bigint }): bigint {
  if (share > counted) return share - counted;
  return share < live ? share - live : 0n;
}

function corrections(
  amounts: readonly (readonly [affiliate_id: string, minor: bigint, currency?: string])[],
  { wanted, original, now }: { wanted: RecruitShares; original: RecruitLineRow; now: Date },
): RecruitLineRow[] {
  return amounts.map(([affiliate_id, commission_minor, currency = wanted.currency]) => ({
    ...newLine(wanted, { affiliate_id, commission_minor, reversal_of: original.id, now }),
    currency,
    referral_date: original.referral_date,
  }));
}

function newLine(
  { root_id, referral_id, referral_date, currency }: RecruitShares,
  {
    affiliate_id,
    commission_minor,
    reversal_of,
    now,
  }: Pick<RecruitLineRow, "affiliate_id" | "commission_minor" | "reversal_of"> & { now: Date },
): RecruitLineRow {
  return {
    id: newId(now),
    affiliate_id,
    referral_id,
    revenue_minor: 0n,
    commission_minor,
    currency,
    payout_status: "not_paid",
    referral_date,
    processor_payment_id: null,
    reversal_of,
    lead: null,
    recruit_commission_id: root_id,
    created_at: now,
  };
}
