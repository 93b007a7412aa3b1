/*
 * Everything that a command prints passes through here: names, answers and messages are other people's text, which
 * must not act on the operator's terminal. A test refuses other ways to standard output.
 */
import { escapeJson, printable } from "@findersfee/log/printable";

type Value = string | number | boolean | null | Date | readonly string[];

/** What a command prints: names and values. */
export type Printable = Record<string, Value>;

/** Prints one line. Line breaks in it are not printable either: text in it cannot add lines of its own. */
export function printLine(line = ""): void {
  console.log(printable(line));
}

/** Prints one line on standard error, where it does not mix with the output. */
export function printNotice(line: string): void {
  console.error(printable(line));
}

/** Prints a value as JSON: indented, or on one line where a command prints several values. */
export function printJson(value: unknown, { indented = true }: { indented?: boolean } = {}): void {
  console.log(escapeJson(JSON.stringify(value, null, indented ? 2 : 0)));
}

/** Help and complaints of the command line's parser, which quote what was typed. */
export const parserOutput = {
  writeOut: (text: string) => void process.stdout.write(printableLines(text)),
  writeErr: (text: string) => void process.stderr.write(printableLines(text)),
};

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Prints one thing, as JSON or a line for each of its values. */
export function printOne(thing: Printable, { json }: { json: boolean }): void {
  if (json) {
    printJson(thing);
    return;
  }
  const width = Math.max(...Object.keys(thing).map((name) => name.length));
  for (const [name, value] of Object.entries(thing)) printLine(`${name.padEnd(width)}  ${text(value)}`);
}

/**
 * Prints a list, as a JSON array or a table, or a block of lines for each thing where the terminal is too
 * narrow for the table; `none` is what people read when it is empty.
 */
export function printList(things: Printable[], { json, none }: { json: boolean; none: string }): void {
  if (json) {
    printJson(things);
    return;
  }
  const [first, ...others] = things;
  if (first === undefined) {
    printLine(none);
    return;
  }
  const lines = tableOf(Object.keys(first), things);
  if (lines.every((line) => line.length <= (process.stdout.columns ?? Number.POSITIVE_INFINITY))) {
    for (const line of lines) printLine(line);
    return;
  }
  printOne(first, { json });
  for (const thing of others) {
    printLine();
    printOne(thing, { json });
  }
}

function tableOf(names: string[], things: Printable[]): string[] {
  const rows = [names, ...things.map((thing) => names.map((name) => text(thing[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Printable already here, for the widths of columns. */
function text(value: Value): string {
  if (value === null) return "-";
  if (value instanceof Date) return value.toISOString();
  return printable(typeof value === "object" ? value.join(",") : String(value));
}
