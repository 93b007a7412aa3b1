import { State, type StateTone } from "@findersfee/ui/components/state";
import type { PayoutRow, Run } from "./queries.ts";
import { texts } from "./texts.ts";
import { countsOf } from "./totals.ts";

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

/** A run is complete when each of its payouts is paid, failed or canceled. */
export function RunState({ run }: { run: Pick<Run, "finished_at" | "totals"> }) {
  if (run.finished_at === null) return <State tone="waiting">{texts.running}</State>;
  if (countsOf(run).open > 0) return <State tone="waiting">{texts.awaiting_payment}</State>;
  return <State tone="done">{texts.completed}</State>;
}

/** The name of who did something; the service's own actors have none. */
export function actorOf({ name, actor }: { name: string | null; actor: string }): string {
  if (name !== null) return name;
  return actor === "job payout day" || actor === "payout day" ? texts.service : actor;
}
