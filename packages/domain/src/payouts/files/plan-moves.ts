import type { PayoutRow } from "@findersfee/database/rows";
import { mayMove } from "../../ledger/payout-states.ts";
import type { Outcome } from "./format.ts";

/** A line of a result file about a payout of the run. */
export interface ResultLine {
  id: string;
  line: number;
  outcome: Outcome;
  reason: string;
}

/** A line that changes nothing, and why. */
export interface SkippedLine {
  line: number;
  message: string;
}

/** The changes of a result file. */
export interface PlannedMoves {
  /** The pending ones of the paid payouts: they become `processing` first. */
  pending: string[];
  paid: string[];
  failed: { id: string; reason: string }[];
  /** Lines without a final result, of payouts without one. */
  open: number;
  /** Lines of payouts that have this result already. */
  unchanged: number;
  /** Lines that contradict the state of their payout. */
  contradictions: SkippedLine[];
}

type Status = PayoutRow["status"];

/** The effect of a result on a payout with this status; null: it contradicts the status. */
function effectOf(status: Status, outcome: Outcome): "paid" | "failed" | "open" | "unchanged" | null {
  const is_open = status === "pending" || status === "processing";
  switch (outcome) {
    case "open":
      return is_open ? "open" : "unchanged";
    case "paid":
      if (status === "paid") return "unchanged";
      return is_open ? "paid" : null;
    case "failed":
    case "returned":
      if (status === "failed" || status === "canceled") return "unchanged";
      // A provider that never sent the money does not say that it came back: it was paid in another way.
      if (status === "paid" && outcome === "failed") return null;
      return mayMove(status, "failed") ? "failed" : null;
  }
}

/** The changes by the lines of a result file, with the payouts' statuses by id. */
export function planMoves(lines: Iterable<ResultLine>, statuses: ReadonlyMap<string, Status>): PlannedMoves {
  const planned: PlannedMoves = {
    pending: [],
    paid: [],
    failed: [],
    open: 0,
    unchanged: 0,
    contradictions: [],
  };
  for (const { id, line, outcome, reason } of lines) {
    const status = statuses.get(id);
    if (status === undefined) throw new Error(`the payout ${id} disappeared`);
    const effect = effectOf(status, outcome);
    if (effect === "open" || effect === "unchanged") planned[effect] += 1;
    else if (effect === "failed") planned.failed.push({ id, reason });
    else if (effect === null)
      planned.contradictions.push({ line, message: `The payout is already ${status}.` });
    else {
      planned.paid.push(id);
      if (status === "pending") planned.pending.push(id);
    }
  }
  return planned;
}
