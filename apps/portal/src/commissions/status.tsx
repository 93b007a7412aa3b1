import type { CommissionState } from "@findersfee/contract/commissions/rows";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import type { Earning } from "./queries.ts";

const TONES: Record<CommissionState, StateTone> = {
  in_review: "waiting",
  held: "held",
  due: "waiting",
  pending: "waiting",
  paid: "done",
  voided: "stopped",
};

/** The state of a commission with its date: "Held until Dec 6". */
export function Status({ earning }: { earning: Pick<Earning, "state" | "payable_at" | "payout"> }) {
  const { commissions } = useTexts();
  const { day, month } = useFormats();
  const { state, payable_at, payout } = earning;
  const words = () => {
    if (state === "held") return commissions.held_until(day(payable_at));
    if (state === "due") return commissions.due_since(day(payable_at));
    if (state === "voided" || payout === null) return commissions.states[state];
    const period = month(payout.period);
    return state === "paid" ? commissions.paid_in(period) : commissions.in_payout_of(period);
  };
  return <State tone={TONES[state]}>{words()}</State>;
}
