type Value = string | number | boolean | null | Date | readonly string[];

/** What a command prints: names and values. */
export type Printable = Record<string, Value>;

/** Prints one thing, as JSON or a line for each of its values. */
export function printOne(thing: Printable, { json }: { json: boolean }): void {
  if (json) {
    console.log(JSON.stringify(thing, null, 2));
    return;
  }
  const width = Math.max(...Object.keys(thing).map((name) => name.length));
  for (const [name, value] of Object.entries(thing)) console.log(`${name.padEnd(width)}  ${text(value)}`);
}

/**
 * Prints a list, as a JSON array or a table, or a block of lines for each thing where the terminal is too
 * narrow for the table; `none` is what people read when it is empty.
 */
export function printList(things: Printable[], { json, none }: { json: boolean; none: string }): void {
  if (json) {
    console.log(JSON.stringify(things, null, 2));
    return;
  }
  const [first, ...others] = things;
  if (first === undefined) {
    console.log(none);
    return;
  }
  const lines = tableOf(Object.keys(first), things);
  if (lines.every((line) => line.length <= (process.stdout.columns ?? Number.POSITIVE_INFINITY))) {
    for (const line of lines) console.log(line);
    return;
  }
  printOne(first, { json });
  for (const thing of others) {
    console.log();
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

function text(value: Value): string {
  if (value === null) return "-";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return value.join(",");
  return String(value);
}
