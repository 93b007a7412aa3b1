import type { Connection } from "./connect.ts";

type Value = string | number | bigint | boolean | Date | Buffer | null | readonly string[];

/** A prepared statement of constant text with `:named` parameters. docs/contributing/performance.md has its savings over a template. */
export interface Statement<Row extends object, Name extends string> {
  run(sql: Connection, values: Record<Name, Value>): Promise<Row[]>;
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
