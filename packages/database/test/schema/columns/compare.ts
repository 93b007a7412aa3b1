import type { Type } from "typescript/unstable/sync";
import type { Database } from "../../../src/postgres/connect.ts";
import type { Column } from "./recorder.ts";
import { nameOf } from "./samples.ts";
import type { Sources } from "./sources.ts";

/** The JavaScript types of Postgres types, by oid; all others are strings. */
const VALUES: Record<number, string> = {
  16: "boolean",
  17: "Buffer",
  20: "bigint",
  21: "number",
  23: "number",
  26: "number",
  114: "JSON",
  700: "number",
  701: "number",
  1009: "Array",
  1082: "Date",
  1114: "Date",
  1184: "Date",
  2951: "Array",
  3802: "JSON",
};

/** Functions that a statement calls for their effect alone. */
const EFFECTS = ["set_config"];

/** Columns that can be null: `<oid of table or view> <number>`. */
export type Nullable = ReadonlySet<string>;

/** A view's column counts as nullable if a column of that name that the view reads is nullable. */
export async function readNullable(database: Database): Promise<Nullable> {
  const rows = await database<{ column: string }[]>`
    select attrelid::oid || ' ' || attnum as column from pg_attribute attribute
    join pg_class class on class.oid = attrelid
    where attnum > 0 and not attisdropped and case relkind
      when 'v' then exists (
        select from pg_rewrite rule
        join pg_depend used on used.classid = 'pg_rewrite'::regclass and used.objid = rule.oid
        join pg_attribute base on base.attrelid = used.refobjid and base.attnum = used.refobjsubid
        where rule.ev_class = class.oid and base.attrelid <> class.oid and base.attname = attribute.attname
          and not base.attnotnull)
      else not attnotnull end`;
  return new Set(rows.map(({ column }) => column));
}

export interface Fault {
  column: string;
  fault: string;
}

/**
 * Compares a row type with the columns of a statement. A column `campaign.id` belongs to `id` of a nested `campaign`. An
 * expression has no table, so it is unknown whether it can be null.
 */
export function compareRow(
  sources: Sources,
  { row, columns, nullable }: { row: Type; columns: readonly Column[]; nullable: Nullable },
): Fault[] {
  const names = columns.map(({ name }) => name);
  const types = new Map(flatten(sources, { type: row, names, prefix: "" }));
  const missing = [...types.keys()].filter((name) => !names.includes(name));
  return [
    ...missing.map((column) => ({ column, fault: "the statement does not return it" })),
    ...columns.flatMap(({ name, type, table, number }) => {
      if (EFFECTS.includes(name)) return [];
      const is_nullable = nullable.has(`${table} ${number}`);
      const fault = faultOf(sources, { type: types.get(name), oid: type, is_nullable });
      return fault === null ? [] : [{ column: name, fault }];
    }),
  ];
}

interface Level {
  type: Type;
  names: readonly string[];
  prefix: string;
}

function flatten(sources: Sources, { type, names, prefix }: Level): [string, Type][] {
  const { checker } = sources;
  if (type.isUnionType()) {
    return type.getTypes().flatMap((member) => flatten(sources, { type: member, names, prefix }));
  }
  return checker.getPropertiesOfType(type).flatMap((property): [string, Type][] => {
    const own = checker.getTypeOfSymbol(property);
    const name = `${prefix}${property.name}`;
    if (own === undefined) return [];
    if (!names.some((column) => column.startsWith(`${name}.`))) return [[name, own]];
    const nested = checker.getNonNullableType(own) ?? own;
    return flatten(sources, { type: nested, names, prefix: `${name}.` });
  });
}

function faultOf(
  { checker }: Sources,
  { type, oid, is_nullable }: { type: Type | undefined; oid: number; is_nullable: boolean },
): string | null {
  if (type === undefined) return "the row type lacks it";
  const expected = VALUES[oid] ?? "string";
  const named = `and its type is ${checker.typeToString(type)}`;
  if (!isValueType(checker, { expected, value: checker.getNonNullableType(type) ?? type })) {
    return `it is a ${expected}, ${named}`;
  }
  const takes_null = checker.isTypeAssignableTo(checker.getNullType(), type);
  return is_nullable && !takes_null ? `it can be null, ${named}` : null;
}

function isValueType(
  checker: Sources["checker"],
  { expected, value }: { expected: string; value: Type },
): boolean {
  const primitive = {
    string: checker.getStringType(),
    number: checker.getNumberType(),
    bigint: checker.getBigIntType(),
    boolean: checker.getBooleanType(),
  }[expected];
  if (primitive !== undefined) return checker.isTypeAssignableTo(value, primitive);
  if (expected === "Array") return checker.isArrayLikeType(value);
  return expected === "JSON" || nameOf(value) === expected;
}
