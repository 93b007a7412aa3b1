import { State, type StateTone } from "@findersfee/ui/components/state";
import type { MessageRow } from "./queries.ts";
import { texts } from "./texts.ts";

const TONES: Record<MessageRow["state"], StateTone> = {
  parked: "failed",
  received: "waiting",
  done: "done",
  skipped: "none",
};

export function MessageState({ state }: { state: MessageRow["state"] }) {
  return (
    <State tone={TONES[state]}>
      <span className="text-ink">{texts.states[state]}</span>
    </State>
  );
}
