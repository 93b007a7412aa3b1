import { type CommissionChange, updateCommissions } from "@findersfee/database/commissions/changes";
import type { CommissionValues } from "@findersfee/database/commissions/commissions";
import { setRecruitRejection } from "@findersfee/database/commissions/recruits";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { actorText } from "../actor.ts";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { postingsOfChange } from "../ledger/postings.ts";
import { followRecruits } from "../ledger/recruits.ts";

/** A commission for a recruit, or a correction of one, locked behind the recruit's commission. */
interface LockedLine {
  change: CommissionChange;
  root_id: string;
  changed: ReadonlySet<keyof CommissionValues>;
}

/**
 * Voids a commission for a recruit, which then stays void, or takes that back: it is the percentage of the recruit's commission as that
 * is now. Of corrections, those above 0 can be voided: the recruiter does not get that amount, also after later changes.
 * Errors: `commission_locked` for other changes, since it follows the recruit's commission.
 */
export async function changeRecruitLine(
  sql: Transaction,
  { organization, actor }: Context,
  { change, root_id, changed }: LockedLine,
): Promise<void> {
  const { before, after } = change;
  if (changed.size > 1 || !changed.has("payout_status")) throw follows(root_id);
  if (after.reversal_of === null) {
    await setRecruitRejection(sql, organization.id, {
      commission_id: root_id,
      recruiter_id: before.affiliate_id,
      refusal: after.payout_status === "voided" ? "voided" : null,
    });
  } else {
    if (before.commission_minor < 0n) throw follows(root_id);
    await updateCommissions(sql, organization.id, { changes: [change], postings: postingsOfChange(change) });
  }
  await followRecruits(sql, organization.id, { root_ids: [root_id], cause: actorText(actor) });
}

/** The error for restoring a commission for a recruit that stays void. */
export function nothingLeft(commission_id: string): DomainError {
  return new DomainError("commission_locked", {
    message:
      "This commission stays void: the recruit's commission is void or another affiliate's, or the recruiter was banned or not approved when the recruit first had it.",
    details: { recruit_commission_id: commission_id },
  });
}

/** The error for a change that only the recruit's commission can have. */
export function follows(commission_id: string): DomainError {
  return new DomainError("commission_locked", {
    message: "This commission is a percentage of a recruit's commission and follows it. Change that one.",
    details: { recruit_commission_id: commission_id },
  });
}
