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

/** Prints a list, as a JSON array or a table; `none` is what people read when it is empty. */
export function printList(things: Printable[], { json, none }: { json: boolean; none: string }): void {
  if (json) {
    console.log(JSON.stringify(things, null, 2));
    return;
  }
  const [first] = things;
  if (first === undefined) {
    console.log(none);
    return;
  }
  const names = Object.keys(first);
  const lines = [names, ...things.map((thing) => names.map((name) => text(thing[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  }
}

function text(value: Value): string {
  if (value === null) return "-";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return value.join(",");
  return String(value);
}
