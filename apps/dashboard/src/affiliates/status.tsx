import type { AffiliateState } from "@findersfee/contract/affiliates/rows";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { texts } from "./texts.ts";

const TONES: Record<AffiliateState, StateTone> = {
  waiting: "waiting",
  active: "done",
  declined: "stopped",
  banned: "stopped",
  left: "stopped",
};

export function Status({ state }: { state: AffiliateState }) {
  return (
    <State tone={TONES[state]}>
      <span className={TONES[state] === "stopped" ? "" : "text-ink"}>{texts.states[state]}</span>
    </State>
  );
}
