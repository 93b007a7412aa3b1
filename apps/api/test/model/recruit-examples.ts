import { DAY, type Deed, type History, type Partner } from "./history.ts";
import { checkout, history, payment } from "./sample-histories.ts";

const recruiter: Partner = { campaign: 0, approved: true, is_customer: null, own_rules: null };
const recruit: Partner = { ...recruiter, recruited_by: 0 };
const of_one = {
  terms: { recruiting: { percent: 10, months: 12 } },
  affiliates: [recruiter, recruit, recruit],
};

const ban: Deed = { kind: "set_affiliate", affiliate: 0, banned: true };
const move: Deed = { kind: "move_customer", customer: 0, affiliate: 2, unpaid_commissions: true };

/** Histories with recruits on which the service, or this model, contradicted the documents once. */
export const RECRUITS_MENDED: Record<string, History> = {
  voided_share_of_a_commission_that_moves_to_another_recruit: history(
    [checkout({ codes: [1] }), payment(), { kind: "void_recruits", payment: 0 }, move],
    of_one,
  ),
  restored_share_of_a_recruiter_who_was_banned: history(
    [checkout({ codes: [1] }), payment(), ban, move, { kind: "restore_recruits", payment: 0 }],
    of_one,
  ),
  restored_share_of_a_recruiter_who_was_banned_after_the_void: history(
    [
      checkout({ codes: [1] }),
      payment({ at: 2 * DAY }),
      { kind: "void_recruits", payment: 0 },
      ban,
      move,
      { kind: "restore_recruits", payment: 0 },
    ],
    of_one,
  ),
};
