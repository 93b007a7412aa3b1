const whole = (count: number) => count.toLocaleString("en-US");

interface KindTexts {
  running: string;
  done: string;
  /** The name of its lines or rows. */
  units: (count: number) => string;
  /** Its counts, by the names that the kind chooses. */
  counts?: Record<string, (count: number) => string>;
}

/** The kinds of long work, by the names that the service has. */
const KINDS: Record<string, KindTexts> = {
  adjustments_export: {
    running: "Exporting adjustments",
    done: "Export of adjustments",
    units: (count) => `${whole(count)} adjustments`,
  },
  affiliates_export: {
    running: "Exporting affiliates",
    done: "Export of affiliates",
    units: (count) => `${whole(count)} affiliates`,
  },
  affiliates_import: {
    running: "Importing affiliates",
    done: "Import of affiliates",
    units: (count) => `${whole(count)} lines`,
    counts: {
      created: (count) => `${whole(count)} created`,
      existed: (count) => `${whole(count)} existed`,
      wrong: (count) => `${whole(count)} wrong`,
    },
  },
  audit_log_export: {
    running: "Exporting the history",
    done: "Export of the history",
    units: (count) => `${whole(count)} entries`,
  },
  commissions_export: {
    running: "Exporting commissions",
    done: "Export of commissions",
    units: (count) => `${whole(count)} commissions`,
  },
  payouts_export: {
    running: "Exporting payouts",
    done: "Export of payouts",
    units: (count) => `${whole(count)} payouts`,
  },
  payout_run: {
    running: "Creating payouts",
    done: "Payout run",
    units: (count) => `${whole(count)} payouts`,
  },
  ledger_check: {
    running: "Checking the ledger",
    done: "Check of the ledger",
    units: (count) => `${whole(count)} rules`,
    counts: { damaged: (count) => `${whole(count)} broken rows` },
  },
  replay: { running: "Sending again", done: "Replay", units: (count) => `${whole(count)} deliveries` },
};

/** The names of the kinds. */
export const kind_names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { done }]) => [kind, done]),
);

/** A kind that an older version of this page does not know. */
const OTHER: KindTexts = { running: "Working", done: "Work", units: (count) => whole(count) };

export const kindTexts = (kind: string): KindTexts => KINDS[kind] ?? OTHER;

export const texts = {
  label: "Long work",
  percent: (part: number) => `${Math.floor(part * 100)}%`,
  of: (done: string, total: number) => `${done.replace(/^[\d,]+/, (count) => `${count} of ${whole(total)}`)}`,
  running: (count: number) => `${count} tasks under way`,
  finished: (count: number) => (count === 1 ? "1 task finished" : `${count} tasks finished`),
  failed: (count: number) => (count === 1 ? "1 task failed" : `${count} tasks failed`),
  by: (name: string) => `by ${name}`,
  starting: "Starting…",
  canceled: "Canceled",
  trying_again: "Trying again",
  download: "Download",
  cancel: "Cancel",
  open: "Open",
};
