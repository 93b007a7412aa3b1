import type { StoredDecision } from "@findersfee/database/attribution/decisions";
import type { PassedAffiliate } from "@findersfee/database/attribution/passed-affiliates";
import type { CandidateResult } from "../decide/attribute.ts";
import { readExplanation } from "./explanation.ts";

export interface PassedDifference {
  added: PassedAffiliate[];
  removed: PassedAffiliate[];
}

type Decided = Pick<StoredDecision, "id" | "affiliate_id" | "paid_at" | "replaced_at" | "explanation">;

/** The rows to add and to remove when a decision changes; `candidates` are those of `after`. */
export function passedDifference(
  before: Decided | undefined,
  after: Decided,
  candidates: readonly Pick<CandidateResult, "affiliate_id">[] = storedCandidates(after),
): PassedDifference {
  const added = passedBy(after, candidates);
  if (before === undefined) return { added, removed: [] };
  const removed = passedBy(before, storedCandidates(before));
  const isIn = (rows: readonly PassedAffiliate[]) => (row: PassedAffiliate) =>
    rows.some(
      ({ affiliate_id, paid_at }) =>
        affiliate_id === row.affiliate_id && paid_at.getTime() === row.paid_at.getTime(),
    );
  return {
    added: added.filter((row) => !isIn(removed)(row)),
    removed: removed.filter((row) => !isIn(added)(row)),
  };
}

function storedCandidates({ explanation }: Decided) {
  return readExplanation(JSON.parse(explanation)).candidates;
}

/** Each affiliate of the candidates who does not have the payment. */
function passedBy(
  { id, affiliate_id: winner, paid_at, replaced_at }: Decided,
  candidates: readonly Pick<CandidateResult, "affiliate_id">[],
): PassedAffiliate[] {
  if (replaced_at !== null) return [];
  const passed = new Set(candidates.map(({ affiliate_id }) => affiliate_id));
  return [...passed].flatMap((affiliate_id) =>
    affiliate_id === null || affiliate_id === winner ? [] : [{ affiliate_id, paid_at, decision_id: id }],
  );
}
