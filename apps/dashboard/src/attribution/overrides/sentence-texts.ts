import type { OverrideType } from "@findersfee/contract/attribution/overrides";

/** Words of decisions and their buttons, without the words of dialogs. */
export const sentence_texts = {
  title: "Set by your team",
  made: { move: "Moved to", credit: "Credited to", stop: "Stopped" } satisfies Record<OverrideType, string>,
  changes: { resumed: "Resumed", undone: "Undone" },
  erased_affiliate: "an affiliate",
  by: "by",
  on: "on",
  move: "Move…",
  stop: "Stop commissions…",
  stopped: "stopped",
  stopped_title: "Payments from this customer earn nothing",
  resume: "Resume…",
  undo: "Undo…",
  undo_this: { move: "Undo the move", credit: "Undo the credit", stop: "Undo the stop" } satisfies Record<
    OverrideType,
    string
  >,
};
