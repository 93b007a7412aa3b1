import type { Token } from "markdown-it";

/** From this many columns on, cells with this many characters do not fit side by side on a phone. */
const MANY_COLUMNS = 3;
const LONG_CELL = 30;

/**
 * Marks the tables that narrow screens show as lists, row by row, and labels each of their cells with its
 * column's name.
 */
export function labelTables(tokens: readonly Token[]): void {
  for (const [start, token] of tokens.entries()) {
    if (token.type !== "table_open") continue;
    const end = tokens.findIndex(({ type }, index) => index > start && type === "table_close");
    const cells = cellsOf(tokens.slice(start, end));
    const names = cells.filter(({ open }) => open.type === "th_open").map(({ text }) => text);
    const is_long = cells.some(({ text }) => text.length > LONG_CELL);
    if (names.length < MANY_COLUMNS || !is_long) continue;
    token.attrSet("class", "stacked");
    const rows = cells.filter(({ open }) => open.type === "td_open");
    for (const [index, { open }] of rows.entries())
      open.attrSet("data-column", names[index % names.length] ?? "");
  }
}

function cellsOf(tokens: readonly Token[]): { open: Token; text: string }[] {
  return tokens.flatMap((open, index) =>
    open.type === "th_open" || open.type === "td_open"
      ? [{ open, text: tokens[index + 1]?.content ?? "" }]
      : [],
  );
}
