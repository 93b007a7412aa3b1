import { State, type StateTone } from "@findersfee/ui/components/state";
import type { PayoutRow, Run } from "./queries.ts";
import { texts } from "./texts.ts";

const TONES: Record<PayoutRow["status"], StateTone> = {
  pending: "waiting",
  processing: "waiting",
  paid: "done",
  failed: "failed",
  canceled: "stopped",
};

export function PayoutStatus({ status }: { status: PayoutRow["status"] }) {
  return (
    <State tone={TONES[status]}>
      <span className={status === "canceled" ? "" : "text-ink"}>{texts.statuses[status]}</span>
    </State>
  );
}

export function RunState({ finished_at }: Pick<Run, "finished_at">) {
  return (
    <State tone={finished_at === null ? "waiting" : "done"}>
      {finished_at === null ? texts.running : texts.finished}
    </State>
  );
}

/** The name of who did something; the service's own actors have none. */
export function actorOf({ name, actor }: { name: string | null; actor: string }): string {
  if (name !== null) return name;
  return actor === "job payout day" || actor === "payout day" ? texts.service : actor;
}
