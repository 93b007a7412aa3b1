/*
 * All output of commands passes through here: names, responses and messages are untrusted text, which must
 * not control the operator's terminal. A test rejects other writes to standard output.
 */
import { escapeJson, printable } from "@findersfee/log/printable";

type Value = string | number | boolean | null | Date | readonly string[];

/** A printed row: names and values. */
export type Printable = Record<string, Value>;

/** Prints one line. Line breaks in the text are replaced, so it cannot add lines. */
export function printLine(line = ""): void {
  console.log(printable(line));
}

/** Prints one line on standard error, separate from the output. */
export function printNotice(line: string): void {
  console.error(printable(line));
}

/** Prints a value as JSON: indented, or on one line where a command prints several values. */
export function printJson(value: unknown, { indented = true }: { indented?: boolean } = {}): void {
  console.log(escapeJson(JSON.stringify(value, null, indented ? 2 : 0)));
}

/** Help and errors of the command line's parser, which quote the input. */
export const parserOutput = {
  writeOut: (text: string) => void process.stdout.write(printableLines(text)),
  writeErr: (text: string) => void process.stderr.write(printableLines(text)),
};

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Prints one object, as JSON or one line per value. */
export function printOne(thing: Printable, { json }: { json: boolean }): void {
  if (json) {
    printJson(thing);
    return;
  }
  const width = Math.max(...Object.keys(thing).map((name) => name.length));
  for (const [name, value] of Object.entries(thing)) printLine(`${name.padEnd(width)}  ${text(value)}`);
}

/**
 * Prints a list, as a JSON array or a table, or as blocks of lines when the terminal is too narrow for the
 * table; `none` is the text for an empty list.
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

/** Sanitized before computing the widths of columns. */
function text(value: Value): string {
  if (value === null) return "-";
  if (value instanceof Date) return value.toISOString();
  return printable(typeof value === "object" ? value.join(",") : String(value));
}
