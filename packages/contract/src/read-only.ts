import { z } from "zod";
import type { Issue } from "./errors.ts";
import { timestampInput } from "./fields.ts";

/*
 * A PUT accepts the object that a GET returned, so its input includes the response's read-only fields. Their
 * values must equal the current ones; only the operation, which reads the row, can compare them.
 */

const READ_ONLY = "Read-only: leave it out, or send its current value.";

/** The response schemas of the inputs' read-only fields. */
const answered = new WeakMap<z.core.$ZodType, z.ZodType>();

const volatile_fields = new WeakSet<z.ZodType>();

/**
 * A read-only field of the response in an update's input. The input's own check accepts any value;
 * `readOnlyIssues` compares it with the current one.
 */
export function readOnly<Schema extends z.ZodType>(schema: Schema) {
  const field = z.custom<z.output<Schema>>().optional();
  answered.set(field, schema);
  return field;
}

/**
 * Marks a response field that changes without a request of the organization: a counter, or a value that the
 * processor reports. Updates do not compare it, since it may have changed after the GET.
 */
export function volatile<Schema extends z.ZodType>(schema: Schema): Schema {
  volatile_fields.add(schema);
  return schema;
}

/**
 * Splits an update's input into the fields that it can set and the response schemas of its read-only fields.
 */
export function splitReadOnly(input: z.ZodObject): {
  writable: z.ZodObject;
  read_only: Record<string, z.ZodType>;
} {
  const writable: Record<string, z.core.$ZodType> = {};
  const read_only: Record<string, z.ZodType> = {};
  for (const [name, field] of Object.entries(input.shape)) {
    const schema = answered.get(field);
    if (schema === undefined) writable[name] = field;
    else read_only[name] = schema;
  }
  return { writable: z.strictObject(writable), read_only };
}

/**
 * The issues of an update's read-only fields: every field that differs from the current value. `current` is
 * the resource as the API returns it. Ids and emails are compared case-insensitively, timestamps as instants.
 * Omitted fields, including nested ones, and `volatile` fields are not compared.
 */
export function readOnlyIssues(input: z.ZodObject, sent: object, current: object): Issue[] {
  return Object.entries(sent).flatMap(([name, value]) => {
    const field = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
    const schema = field === undefined ? undefined : answered.get(field);
    if (schema === undefined || value === undefined) return [];
    return differences({ schema, sent: value, current: fieldOf(current, name), path: name });
  });
}

interface Compared {
  schema: z.core.$ZodType;
  sent: unknown;
  current: unknown;
  path: string;
}

function differences({ schema, sent, current, path }: Compared): Issue[] {
  if (schema instanceof z.ZodType && volatile_fields.has(schema)) {
    return differenceIf(!schema.safeParse(sent).success, path);
  }
  if (sent === null || current === null) return differenceIf(sent !== current, path);
  if (schema instanceof z.ZodNullable) return differences({ schema: schema.unwrap(), sent, current, path });
  if (schema instanceof z.ZodObject) return differencesOfObject({ schema, sent, current, path });
  if (schema instanceof z.ZodArray) return differencesOfArray({ schema, sent, current, path });
  return differenceIf(!isSame(schema, sent, current), path);
}

function differenceIf(differs: boolean, path: string): Issue[] {
  return differs ? [{ path, message: READ_ONLY }] : [];
}

function differencesOfObject({ schema, sent, current, path }: Compared & { schema: z.ZodObject }): Issue[] {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return differenceIf(true, path);
  const issues = Object.entries(sent).map(([name, value]): [string, Issue[]] => {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    const inside = `${path}.${name}`;
    if (field === undefined) return [name, [{ path: inside, message: "Unknown field." }]];
    return [name, differences({ schema: field, sent: value, current: fieldOf(current, name), path: inside })];
  });
  // The remaining fields of a different object would all differ as well.
  const [, of_id = []] = issues.find(([name]) => name === "id") ?? [];
  return of_id.length > 0 ? of_id : issues.flatMap(([, found]) => found);
}

function differencesOfArray({ schema, sent, current, path }: Compared & { schema: z.ZodArray }): Issue[] {
  if (!Array.isArray(sent) || !Array.isArray(current) || sent.length !== current.length) {
    return differenceIf(true, path);
  }
  return sent.flatMap((value, index) =>
    differences({ schema: schema.element, sent: value, current: current[index], path: `${path}[${index}]` }),
  );
}

function fieldOf(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
  return Reflect.get(object, name);
}

function isSame(schema: z.core.$ZodType, sent: unknown, current: unknown): boolean {
  if (sent === current) return true;
  if (typeof sent !== "string" || typeof current !== "string" || !(schema instanceof z.ZodType)) return false;
  switch (schema.meta()?.format) {
    case "date-time":
      return timestampInput.safeParse(sent).data === current;
    case "uuid":
    case "email":
      return sent.toLowerCase() === current.toLowerCase();
    default:
      return false;
  }
}
