import type { PayoutFile } from "@findersfee/contract/payouts/files";
import { formatCount } from "@findersfee/ui/formats/counts";
import { counted } from "./texts.ts";

/** The texts of the steps from a finished run to a paid one, and of marking payouts. */
export const run_texts = {
  step_send: "1  Send the files",
  step_report: "2  Import the provider’s report",
  step_done: "3  Finish",
  download: "Download",
  download_again: "Download again",
  formats: { paypal: "PayPal", wise: "Wise", csv: "All payouts (CSV)" } satisfies Record<
    PayoutFile["format"],
    string
  >,
  file_name: ({ format, currency, file, files }: PayoutFile) =>
    format === "csv"
      ? run_texts.formats.csv
      : `${run_texts.formats[format]} file${files > 1 ? ` ${file} of ${files}` : ""}, ${currency}`,
  file_payouts: (count: number) => counted(count, "payout", "payouts"),
  downloaded: "Downloaded",
  not_twice: "Do not send it twice.",
  report_kind: "Provider",
  report_kinds: { paypal: "PayPal", wise: "Wise", csv: "Custom CSV" } satisfies Record<
    PayoutFile["format"],
    string
  >,
  drop: "Drop the report here, or choose a file",
  drop_hint: "A CSV file. It is checked first; nothing changes before you apply it.",
  checking: "Checking…",
  checked: (file: string) => `Checked ${file}`,
  lines: (count: number) => counted(count, "line", "lines"),
  line: (line: number) => `line ${formatCount(line)}`,
  skipped: (count: number) => `${counted(count, "line is", "lines are")} skipped`,
  more_lines: (count: number) => `And ${counted(count, "more line", "more lines")}.`,
  apply: "Apply",
  other_file: "Choose another file",
  applied: (paid: number, failed: number) =>
    `Report applied: ${formatCount(paid)} paid, ${formatCount(failed)} failed`,
  refused: "The report was rejected; nothing was changed",
  nothing_open: "Every payout is paid, failed or canceled.",
  no_report_role: "An admin can import the report.",
  done_hint: "If you paid without a report, mark the payouts yourself.",
  mark_open: (count: number) => `Mark ${counted(count, "open payout", "open payouts")} as…`,
  mark: "Mark as…",
  mark_title: (count: number) => `Mark ${counted(count, "payout", "payouts")}`,
  mark_many: (count: number, status: string) =>
    `Mark ${counted(count, "payout", "payouts")} as ${status.toLowerCase()}`,
  mark_as: "As",
  mark_missing: "Choose what happened to the payment.",
  came_back: "The money came back…",
  return_title: "The money came back",
  return_hint: "The payout is marked as failed, and its amount is due again. Owners get an email.",
  return_submit: "Mark as failed",
  moves: {
    processing: "Processing",
    paid: "Paid",
    failed: "Failed",
    canceled: "Canceled",
  },
  move_hints: {
    processing: "The money is on its way.",
    paid: "Each affiliate gets an email. It can be undone only if the money comes back.",
    failed: "Final. The amounts are due again; owners get an email.",
    canceled: "Final. The amounts are due again.",
  },
  reason: "Reason",
  reason_hint: "Owners see it, also in the payout’s history.",
  move: "Mark",
  moved: (count: number, status: string) =>
    `${counted(count, "payout", "payouts")} marked as ${status.toLowerCase()}`,
  move_lost: "The connection was lost. Either all or none were marked; check the list.",
  too_many_open: "More than 1,000 are open: use a report, or mark them page by page.",
};
