type Value = string | number | bigint | boolean | Date | null;

const TEXT_ARRAY = 1009;
const UUID_ARRAY = 2951;

/** One-dimensional arrays of texts and of ids, in Postgres' notation: `{a,"b c",NULL}`. */
export const textArray = {
  to: TEXT_ARRAY,
  from: [TEXT_ARRAY, UUID_ARRAY],
  serialize: (values: string[]) => `{${values.map(quote).join(",")}}`,
  parse: (text: string): string[] => [...text.matchAll(ELEMENT)].map(([whole]) => unquote(whole)),
};

/** A column of values as a parameter for `:name::text::type[]`. Its cost beside JSON: docs/contributing/performance.md. */
export function arrayText(values: readonly Value[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

/** Same, for texts that need no quotes: not empty, and only letters, digits and `-:.`. */
export function plainArrayText(values: readonly string[]): string {
  return `{${values.join(",")}}`;
}

/** Types whose text in an array needs no quotes. */
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
  values: (rows: readonly Record<Column, Value>[]) => Record<`${Prefix}_${Column}`, string>;
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

function writerOf(type: string): (values: readonly Value[]) => string {
  if (type === "json") return (values) => values.join("\n");
  if (UNQUOTED.includes(type)) return (values) => `{${values.map(plainText).join(",")}}`;
  return arrayText;
}

function plainText(value: Value): string {
  if (value === null) return "NULL";
  return value instanceof Date ? value.toISOString() : String(value);
}

function elementText(value: Value): string {
  return typeof value === "string" ? quote(value) : plainText(value);
}

const ELEMENT = /"(?:[^"\\]|\\.)*"|[^{},]+/gs;

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

function unquote(element: string): string {
  return element.startsWith('"') ? element.slice(1, -1).replace(/\\(.)/gs, "$1") : element;
}
