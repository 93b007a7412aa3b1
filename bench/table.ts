/* Question: how do the results compare with the targets? */

/** The result of one question. */
export interface Verdict {
  question: string;
  measured: string;
  /** The reference, measured in the same run. */
  limit: string;
  ratio: string;
  target: string;
  /** Null if it cannot be measured on this machine. */
  met: boolean | null;
}

export function formatVerdicts(verdicts: readonly Verdict[]): string {
  return formatTable([
    ["question", "measured", "limit", "ratio", "target", "verdict"],
    ...verdicts.map(({ question, measured, limit, ratio, target, met }) => [
      question,
      measured,
      limit,
      ratio,
      target,
      met === null ? "not measured" : met ? "ok" : "MISSED",
    ]),
  ]);
}

/** Lines of aligned columns; the first line is the heading. */
export function formatTable(lines: readonly (readonly string[])[]): string {
  const columns = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const [heading = [], ...rest] = lines;
  const rule = widths.map((width) => "-".repeat(width));
  return [heading, rule, ...rest]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** 12,345 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** About three significant digits: 0.71, 5.23, 14.2 */
export function fine(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}
