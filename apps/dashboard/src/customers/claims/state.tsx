import type { ClaimState } from "@findersfee/contract/customers/claims";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { texts } from "./texts.ts";

const TONES: Record<ClaimState, StateTone> = { open: "waiting", accepted: "done", declined: "stopped" };

export function ClaimStatus({ state }: { state: ClaimState }) {
  return (
    <State tone={TONES[state]}>
      <span className={TONES[state] === "stopped" ? "" : "text-ink"}>{texts.states[state]}</span>
    </State>
  );
}
