import { State, type StateTone } from "@findersfee/ui/components/state";
import { actorOf } from "../audit-log/link/actor.ts";
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
export function RunState({ run }: { run: Pick<Run, "finished_at" | "totals" | "approval"> }) {
  if (run.approval?.state === "waiting") return <State tone="warning">{texts.awaiting_approval}</State>;
  if (run.approval?.state === "declined") return <State tone="stopped">{texts.declined}</State>;
  if (run.finished_at === null) return <State tone="waiting">{texts.running}</State>;
  if (countsOf(run).open > 0) return <State tone="waiting">{texts.awaiting_payment}</State>;
  return <State tone="done">{texts.completed}</State>;
}

/** The name of who started or changed a payout. The day on which the service pays has a name of its own. */
export function payerOf({ name, actor }: { name: string | null; actor: string }): string {
  if (actor === "job payout day" || actor === "payout day") return texts.service;
  return actorOf({ actor, actor_name: name });
}
