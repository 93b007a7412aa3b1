import type { Json } from "./request.ts";

/** A language's syntax for values. */
export interface Syntax {
  object: readonly [open: string, close: string];
  array: readonly [open: string, close: string];
  /** The space between `{` and its first entry on one line, if any. */
  padding: string;
  indent: string;
  /** True if a comma follows the last entry on a line of its own. */
  trailing_comma: boolean;
  string(text: string): string;
  /** A name with its separator: `"name": `. */
  name(name: string): string;
  constants: readonly [null_: string, true_: string, false_: string];
}

/** Values up to this many characters stay on one line. */
const SHORT = 60;

/** Writes a JSON value as a literal of a language. `level` is the indentation of its first line. */
export function writeLiteral(value: Json, syntax: Syntax, level = 0): string {
  if (value === null) return syntax.constants[0];
  if (typeof value === "boolean") return syntax.constants[value ? 1 : 2];
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return syntax.string(value);
  const [open, close] = isArray(value) ? syntax.array : syntax.object;
  const write = (depth: number) =>
    isArray(value)
      ? value.map((item) => writeLiteral(item, syntax, depth))
      : Object.entries(value).map(
          ([name, item]) => `${syntax.name(name)}${writeLiteral(item, syntax, depth)}`,
        );
  const entries = write(level + 1);
  if (entries.length === 0) return `${open}${close}`;
  const padding = isArray(value) ? "" : syntax.padding;
  const line = `${open}${padding}${entries.join(", ")}${padding}${close}`;
  if (line.length <= SHORT && !line.includes("\n")) return line;
  const margin = syntax.indent.repeat(level + 1);
  const comma = syntax.trailing_comma ? "," : "";
  return `${open}\n${margin}${entries.join(`,\n${margin}`)}${comma}\n${syntax.indent.repeat(level)}${close}`;
}

function isArray(value: object): value is readonly Json[] {
  return Array.isArray(value);
}

/** Text in single quotes, with the two special characters escaped. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
