import {
  type CommissionChange,
  insertWrittenCommissions,
  type NewWrittenCommission,
  updateCommissions,
  type WrittenCommission,
} from "@findersfee/database/commissions/changes";
import { changeReviewReasons, type ReviewReasons } from "@findersfee/database/commissions/reviews";
import type { Connection } from "@findersfee/database/postgres/connect";
import { groupBy } from "../group-by.ts";
import { postingsOfChange, postingsOfNew } from "./postings.ts";
import { followRecruits } from "./recruits.ts";

/** A commission that waits for review for other reasons than before, or no longer. */
export type ReviewChange = ReviewReasons & Pick<WrittenCommission, "cause">;

/** New commissions, and changes of commissions that the transaction has locked. */
export interface CommissionWrites {
  changed: readonly CommissionChange[];
  added: readonly NewWrittenCommission[];
  /** Of commissions that the transaction has locked, which are in no payout. */
  reviews?: readonly ReviewChange[];
}

/**
 * Writes commissions with their postings, and updates the commissions for recruits, which are a percentage of
 * them. Everything that changes commissions calls it, except the batches of new commissions by API, none of
 * which is a recruit's.
 *
 * `isRecruit` returns whether an affiliate was recruited. Without it, the affiliates are looked up.
 */
export async function writeCommissions(
  sql: Connection,
  organizationId: string,
  { changed, added, reviews = [] }: CommissionWrites,
  isRecruit: (affiliate_id: string) => boolean = () => true,
): Promise<void> {
  await updateCommissions(sql, organizationId, {
    changes: changed,
    postings: changed.flatMap(postingsOfChange),
  });
  await insertWrittenCommissions(sql, organizationId, {
    commissions: added,
    postings: added.flatMap(postingsOfNew),
  });
  if (reviews.length > 0) await changeReviewReasons(sql, organizationId, reviews);
  const written = [
    ...changed.flatMap(({ before, after }) => [after, { ...after, affiliate_id: before.affiliate_id }]),
    ...added,
  ];
  const touched = [
    ...written.filter(({ affiliate_id }) => isRecruit(affiliate_id)),
    // A recruit may have had it before, with a commission for its recruiter.
    ...reviews.map(({ commission_id, cause }) => ({ id: commission_id, reversal_of: null, cause })),
  ];
  if (touched.length === 0) return;
  for (const [cause, of_cause] of groupBy(touched, (row) => row.cause)) {
    await followRecruits(sql, organizationId, {
      root_ids: of_cause.map(({ id, reversal_of }) => reversal_of ?? id),
      cause,
    });
  }
}
