import type { ReversedBy } from "@findersfee/contract/attribution/reversals";
import type { ReviewState } from "@findersfee/contract/commissions/reviews";
import type { CommissionState } from "@findersfee/contract/commissions/rows";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { voidWord } from "../attribution/reversals.ts";
import { monthOf } from "../payouts/month.ts";
import { review_states } from "./review-states.ts";
import { texts } from "./texts.ts";

const TONES: Record<CommissionState, StateTone> = {
  in_review: "waiting",
  held: "held",
  due: "waiting",
  pending: "waiting",
  paid: "done",
  voided: "stopped",
};

export interface StatusProps {
  state: CommissionState;
  payable_at: string;
  payout: { period: string } | null;
  /** Why money of its payment is gone. */
  voided_by?: ReversedBy;
  review_state?: ReviewState;
}

/** The state of a commission, with its date. */
export function Status({ state, ...date }: StatusProps) {
  return (
    <State tone={TONES[state]}>
      <span className={state === "voided" ? "" : "text-ink"}>
        <StatusText state={state} {...date} />
      </span>
    </State>
  );
}

function StatusText({ state, payable_at, payout, voided_by = null, review_state }: StatusProps) {
  switch (state) {
    case "in_review":
      return texts.states.in_review;
    case "held":
      return (
        <>
          {texts.held_until} <Time at={payable_at} show="day" />
        </>
      );
    case "due":
      return (
        <>
          {texts.due_since} <Time at={payable_at} show="day" />
        </>
      );
    case "pending":
      return payout === null ? texts.states.pending : texts.pending_in(monthOf(payout.period));
    case "paid":
      return payout === null ? texts.states.paid : texts.paid_in(monthOf(payout.period));
    case "voided":
      return review_state === "rejected" ? review_states.rejected : voidWord(voided_by);
  }
}
