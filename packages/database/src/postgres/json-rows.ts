/** Columns and their SQL types: one constant for all lists of a statement that must agree. */
export type ColumnTypes = Record<string, string>;

/** The columns as a list: `id, email`. */
export function columnList(types: ColumnTypes): string {
  return Object.keys(types).join(", ");
}

/**
 * A parameter with an array of JSON objects as an item of a `from` list. Postgres drops keys without a column and reads
 * a missing key as null.
 */
export function jsonRows(parameter: string, alias: string, types: ColumnTypes): string {
  const columns = Object.entries(types).map(([column, type]) => `${column} ${type}`);
  return `json_to_recordset(:${parameter}::text::json) as ${alias} (${columns.join(", ")})`;
}

/** The `set` list that takes all columns from `source`, except those that keep their value. */
export function assignments<Column extends string>(
  source: string,
  types: Record<Column, string>,
  kept: readonly NoInfer<Column>[],
): string {
  const columns = (Object.keys(types) as Column[]).filter((column) => !kept.includes(column));
  return columns.map((column) => `${column} = ${source}.${column}`).join(", ");
}
