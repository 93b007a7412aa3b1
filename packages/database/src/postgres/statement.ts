import type { ISql } from "postgres";

type Value = string | number | bigint | boolean | Date | Buffer | null | readonly string[];

/** A prepared statement of constant text with `:named` parameters. docs/contributing/performance.md has its savings over a template. */
export interface Statement<Row extends object, Name extends string> {
  run(sql: Pick<ISql, "unsafe">, values: Record<Name, Value>): Promise<Row[]>;
}

export function statement<Row extends object, Name extends string>(text: string): Statement<Row, Name> {
  const names: Name[] = [];
  const numbered = text.replace(/(?<!:):([a-z_]+)/g, (_, name: Name) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return {
    run: (sql, values) =>
      sql.unsafe<Row[]>(
        numbered,
        names.map((name) => values[name] as never),
        { prepare: true },
      ),
  };
}

type Element = string | number | bigint | boolean | Date | null;

const TEXT_ARRAY = 1009;
const UUID_ARRAY = 2951;

/** One-dimensional arrays of texts and of ids, in Postgres' notation: `{a,"b c",NULL}`. */
export const textArray = {
  to: TEXT_ARRAY,
  from: [TEXT_ARRAY, UUID_ARRAY],
  serialize: (values: string[]) => `{${values.map(quote).join(",")}}`,
  parse: (text: string): string[] => [...text.matchAll(ELEMENT)].map(([whole]) => unquote(whole)),
};

/**
 * A column of values as a parameter for `:name::text::type[]`. Its cost beside JSON: docs/contributing/performance.md. As a filter of
 * rows, Postgres would parse the text again for each row: unnest it once, and join.
 */
export function arrayText(values: readonly Element[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

/** Same, for texts that need no quotes: not empty, and only letters, digits and `-:.`. */
export function plainArrayText(values: readonly string[]): string {
  return `{${values.join(",")}}`;
}

/** Types with values that need no quotes in the text of an array. */
const UNQUOTED: readonly string[] = ["uuid", "bigint", "timestamptz", "boolean"];

/**
 * Rows as parameters of a statement, an array per column; docs/contributing/performance.md has their cost beside JSON. `types` names the
 * columns and their types; the parameters are `:<prefix>_<column>`. The type `json` is for texts from `JSON.stringify`, which
 * contain no line break: they are joined by line breaks instead of quoted, which takes a tenth of the time.
 */
export function rowArrays<Prefix extends string, Column extends string>(
  prefix: Prefix,
  types: Record<Column, string>,
): {
  /** The rows as an item of a `from` list, under the alias `<prefix>`. */
  from: string;
  values: (rows: readonly Record<Column, Element>[]) => Record<`${Prefix}_${Column}`, string>;
} {
  const columns = Object.keys(types) as Column[];
  const arrays = columns.map((column) => arrayOf(`:${prefix}_${column}::text`, types[column]));
  const written = columns.map((column) => ({
    column,
    name: `${prefix}_${column}`,
    write: writerOf(types[column]),
  }));
  return {
    from: `unnest(${arrays.join(", ")}) as ${prefix} (${columns.join(", ")})`,
    values: (rows) =>
      Object.fromEntries(
        written.map(({ column, name, write }) => [name, write(rows.map((row) => row[column]))]),
      ) as Record<`${Prefix}_${Column}`, string>,
  };
}

function arrayOf(parameter: string, type: string): string {
  return type === "json" ? `string_to_array(${parameter}, e'\\n')` : `${parameter}::${type}[]`;
}

function writerOf(type: string): (values: readonly Element[]) => string {
  if (type === "json") return (values) => values.join("\n");
  if (UNQUOTED.includes(type)) return (values) => `{${values.map(plainText).join(",")}}`;
  return arrayText;
}

function plainText(value: Element): string {
  if (value === null) return "NULL";
  return value instanceof Date ? value.toISOString() : String(value);
}

function elementText(value: Element): string {
  return typeof value === "string" ? quote(value) : plainText(value);
}

const ELEMENT = /"(?:[^"\\]|\\.)*"|[^{},]+/gs;

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

function unquote(element: string): string {
  return element.startsWith('"') ? element.slice(1, -1).replace(/\\(.)/gs, "$1") : element;
}
