import type { CommissionValues } from "@findersfee/database/commissions/commissions";
import { setRecruitRejection } from "@findersfee/database/commissions/recruits";
import type { Transaction } from "@findersfee/database/postgres/connect";
import type { CommissionRow } from "@findersfee/database/rows";
import { actorText } from "../actor.ts";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { followRecruits } from "../ledger/recruits.ts";

/** A commission for a recruit, locked behind the recruit's commission. */
interface LockedLine {
  before: CommissionRow & { reversal_of: string | null };
  root_id: string;
  changed: ReadonlySet<keyof CommissionValues>;
  values: CommissionValues;
}

/**
 * Voids a commission for a recruit, which then stays void, or takes that back: it is the percentage of the recruit's commission as that
 * is now. Errors: `commission_locked` for other changes, since it follows the recruit's commission.
 */
export async function changeRecruitLine(
  sql: Transaction,
  { organization, actor }: Context,
  { before, root_id, changed, values }: LockedLine,
): Promise<void> {
  if (before.reversal_of !== null || changed.size > 1 || !changed.has("payout_status"))
    throw follows(root_id);
  await setRecruitRejection(sql, organization.id, {
    commission_id: root_id,
    recruiter_id: before.affiliate.id,
    refusal: values.payout_status === "voided" ? "voided" : null,
  });
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
