/** How a call fails. */
export interface Fault {
  /** Before the server gets the call, or after all of it took effect and only its answer is missing. */
  moment: "before" | "after";
  outcome:
    | { error: string } // the server refuses the statement with this SQLSTATE, and undoes it
    | "terminated" // the server says that it ends the connection, and ends it
    | "cut" // the connection is reset
    | "silent"; // nothing comes through, until the fault is lifted
}

/** The kinds of failure of one call. */
export const FAULTS = {
  error_before: { moment: "before", outcome: { error: "XX000" } },
  error_after: { moment: "after", outcome: "terminated" },
  cut_before: { moment: "before", outcome: "cut" },
  cut_after: { moment: "after", outcome: "cut" },
  statement_timeout: { moment: "before", outcome: { error: "57014" } },
  deadlock: { moment: "before", outcome: { error: "40P01" } },
  serialization_failure: { moment: "before", outcome: { error: "40001" } },
  disk_full: { moment: "before", outcome: { error: "53100" } },
  hang_before: { moment: "before", outcome: "silent" },
  hang_after: { moment: "after", outcome: "silent" },
} as const satisfies Record<string, Fault>;

export type FaultKind = keyof typeof FAULTS;

export const FAULT_KINDS = Object.keys(FAULTS) as FaultKind[];

/** Whether a call of this kind waits until the fault is lifted. */
export function hangs(kind: FaultKind): boolean {
  return FAULTS[kind].outcome === "silent";
}
