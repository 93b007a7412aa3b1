import { arrayText } from "./text-array.ts";

type Value = string | number | bigint | boolean | Date | null;

/**
 * Rows as parameters of a statement, an array per column, since Postgres reads arrays in a third of the time that the same
 * rows take as JSON. `types` names the columns and their types; the parameters are `:<prefix>_<column>`.
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
  const arrays = columns.map((column) => `:${prefix}_${column}::text::${types[column]}[]`);
  const elementOf = (value: Value) => (typeof value === "bigint" ? String(value) : value);
  return {
    from: `unnest(${arrays.join(", ")}) as ${prefix} (${columns.join(", ")})`,
    values: (rows) =>
      Object.fromEntries(
        columns.map((column) => [
          `${prefix}_${column}`,
          arrayText(rows.map((row) => elementOf(row[column]))),
        ]),
      ) as Record<`${Prefix}_${Column}`, string>,
  };
}
