import type { AffiliateState, Agreement } from "@findersfee/contract/affiliates/rows";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { texts } from "./texts.ts";

const TONES: Record<AffiliateState, StateTone> = {
  waiting: "waiting",
  active: "done",
  declined: "stopped",
  banned: "stopped",
  left: "stopped",
};

/** `agreement`: named where an active affiliate has not agreed. */
export function Status({
  state,
  agreement = "agreed",
}: {
  state: AffiliateState;
  agreement?: Agreement | null;
}) {
  const is_unanswered = state === "active" && agreement !== null && agreement !== "agreed";
  return (
    <State tone={TONES[state]}>
      <span className={TONES[state] === "stopped" ? "" : "text-ink"}>{texts.states[state]}</span>
      {is_unanswered && (
        <span className={agreement === "disowned" ? "text-warn" : "text-muted"}>
          {" · "}
          {agreement === "disowned" ? texts.not_theirs : texts.not_agreed}
        </span>
      )}
    </State>
  );
}
