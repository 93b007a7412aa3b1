import type { Result } from "./drill.ts";

const HEADINGS = [
  "Failure",
  "Acknowledged",
  "Lost",
  "Doubled",
  "Stuck",
  "Sent again",
  "Longest gap",
  "Errors",
];

/** A Markdown table. */
export function tableOf(results: readonly Result[]): string {
  const rows = [HEADINGS, ...results.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  return [line(HEADINGS), rule, ...results.map((result) => line(cellsOf(result)))].join("\n");
}

function cellsOf(result: Result): string[] {
  const errors = [...result.errors].map(([status, count]) => `${count} × ${status}`);
  return [
    result.failure,
    ...[result.acknowledged, result.lost, result.doubled, result.stuck, result.repeated].map(String),
    `${result.gap_seconds.toFixed(1)} s`,
    errors.join(", ") || "none",
  ];
}
