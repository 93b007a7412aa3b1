import { formatCount } from "@findersfee/ui/formats/counts";

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
    done: "Adjustments export",
    units: (count) => `${formatCount(count)} adjustments`,
  },
  affiliates_export: {
    running: "Exporting affiliates",
    done: "Affiliates export",
    units: (count) => `${formatCount(count)} affiliates`,
  },
  affiliates_import: {
    running: "Importing affiliates",
    done: "Affiliates import",
    units: (count) => `${formatCount(count)} lines`,
    counts: {
      created: (count) => `${formatCount(count)} created`,
      existed: (count) => `${formatCount(count)} already existed`,
      wrong: (count) => `${formatCount(count)} not imported`,
    },
  },
  audit_log_export: {
    running: "Exporting the history",
    done: "History export",
    units: (count) => `${formatCount(count)} entries`,
  },
  backtest: {
    running: "Trying a draft on past payments",
    done: "Backtest",
    units: (count) => `${formatCount(count)} payments`,
    counts: { changed: (count) => `${formatCount(count)} decided differently` },
  },
  claims_export: {
    running: "Exporting claims",
    done: "Claims export",
    units: (count) => `${formatCount(count)} claims`,
  },
  commissions_export: {
    running: "Exporting commissions",
    done: "Commissions export",
    units: (count) => `${formatCount(count)} commissions`,
  },
  deliveries_export: {
    running: "Exporting deliveries",
    done: "Deliveries export",
    units: (count) => `${formatCount(count)} deliveries`,
  },
  events_export: {
    running: "Exporting events",
    done: "Events export",
    units: (count) => `${formatCount(count)} events`,
  },
  payments_export: {
    running: "Exporting payments",
    done: "Payments export",
    units: (count) => `${formatCount(count)} payments`,
  },
  referrals_export: {
    running: "Exporting referrals",
    done: "Referrals export",
    units: (count) => `${formatCount(count)} referrals`,
  },
  payouts_export: {
    running: "Exporting payouts",
    done: "Payouts export",
    units: (count) => `${formatCount(count)} payouts`,
  },
  payout_run: {
    running: "Creating payouts",
    done: "Payout run",
    units: (count) => `${formatCount(count)} payouts`,
  },
  ledger_check: {
    running: "Checking the ledger",
    done: "Ledger check",
    units: (count) => `${formatCount(count)} rules`,
    counts: { damaged: (count) => `${formatCount(count)} broken rows` },
  },
  replay: { running: "Sending again", done: "Replay", units: (count) => `${formatCount(count)} deliveries` },
};

/** The names of the kinds. */
export const kind_names: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { done }]) => [kind, done]),
);

/** A kind that an older version of this page does not know. */
const OTHER: KindTexts = { running: "Running a task", done: "Task", units: (count) => formatCount(count) };

export const kindTexts = (kind: string): KindTexts => KINDS[kind] ?? OTHER;

export const texts = {
  label: "Background tasks",
  percent: (part: number) => `${Math.floor(part * 100)}%`,
  of: (done: string, total: number) =>
    `${done.replace(/^[\d,]+/, (count) => `${count} of ${formatCount(total)}`)}`,
  running: (count: number) => `${formatCount(count)} tasks running`,
  finished: (count: number) => (count === 1 ? "1 task finished" : `${formatCount(count)} tasks finished`),
  wrong: (count: number) => (count === 1 ? "1 row not imported" : `${formatCount(count)} rows not imported`),
  failed: (count: number) => (count === 1 ? "1 task failed" : `${formatCount(count)} tasks failed`),
  by: (name: string) => `by ${name}`,
  starting: "Starting…",
  canceled: "Canceled",
  trying_again: "Trying again",
  download: "Download",
  cancel: "Cancel",
  open: "Open",
};
