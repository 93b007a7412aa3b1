import type { Parameter, Schema, Schemas } from "../../openapi/document-types.ts";
import { referencedName } from "../../openapi/schemas.ts";

/** A field of a body or an object, as displayed. */
export interface Field {
  name: string;
  /** `string`, `array of Campaign`, `integer or null`. */
  type: string;
  /** The reference object that the type names, if any. */
  object: string | null;
  required: boolean;
  description: string;
  /** The allowed values, limits and default, one sentence each. */
  limits: readonly string[];
  children: readonly Field[];
}

/** The named schemas to resolve references with, and the names that have a description to link to. */
export interface Described {
  schemas: Schemas;
  objects: ReadonlySet<string>;
}

/** Deeper than any schema in the document; stops at a schema that refers to itself. */
const MAX_LEVELS = 8;

/**
 * The fields of a schema, with its reference resolved. A union has a field for each choice, with the choice's
 * fields inside.
 */
export function fieldsOf(schema: Schema, described: Described, level = 0): Field[] {
  if (level > MAX_LEVELS) return [];
  const { properties = {}, required = [], oneOf } = resolve(schema, described);
  if (oneOf !== undefined) return oneOf.map((choice) => choiceOf(choice, described, level));
  return Object.entries(properties).map(([name, property]) =>
    fieldOf({ name, property, required: required.includes(name) }, described, level),
  );
}

function fieldOf(
  { name, property, required }: { name: string; property: Schema; required: boolean },
  described: Described,
  level: number,
): Field {
  const target = innermost(property);
  const referenced = referencedName(target);
  const object = referenced !== null && described.objects.has(referenced) ? referenced : null;
  return {
    name,
    type: typeOf(property, described),
    object,
    required,
    description: property.description ?? "",
    limits: [
      ...(property.readOnly === true ? ["Read-only: accepted with its current value."] : []),
      ...limitsOf({ ...resolve(withoutNull(property), described), ...withoutNull(property) }),
    ],
    children: object === null ? fieldsOf(target, described, level + 1) : [],
  };
}

/** The fields of a response: all are present, so none is marked as required. */
export function responseFields(schema: Schema, described: Described): Field[] {
  return fieldsOf(schema, described).map(unmarked);
}

function unmarked(field: Field): Field {
  return { ...field, required: false, children: field.children.map(unmarked) };
}

/** Parameters or headers as fields: their descriptions are outside their schemas. */
export function parameterFields(parameters: readonly Parameter[], described: Described): Field[] {
  return parameters.map(({ name, required, schema, description }) => ({
    ...fieldOf({ name, property: schema, required }, described, 0),
    description,
  }));
}

function choiceOf(choice: Schema, described: Described, level: number): Field {
  return {
    name: constantIn(choice, described),
    type: "object",
    object: null,
    required: false,
    description: resolve(choice, described).description ?? "",
    limits: [],
    children: fieldsOf(choice, described, level + 1),
  };
}

/** The `type` of one choice of a union, which differs for each choice. */
function constantIn(choice: Schema, described: Described): string {
  return String(resolve(choice, described).properties?.type?.const ?? referencedName(choice) ?? "");
}

function resolve(schema: Schema, { schemas }: Described): Schema {
  const name = referencedName(schema);
  return name === null ? schema : (schemas[name] ?? {});
}

/** The schema itself, the schema of its items, or the one paired with null. */
function innermost(schema: Schema): Schema {
  const value = withoutNull(schema);
  return value.items === undefined ? value : innermost(value.items);
}

function withoutNull(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }) => type !== "null") ?? schema;
}

function typeOf(schema: Schema, described: Described): string {
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((choice) => typeOf(choice, described)).join(" or ");
  }
  const name = referencedName(schema);
  if (name !== null)
    return described.objects.has(name) ? name : typeOf(resolve(schema, described), described);
  if (schema.items !== undefined) return `array of ${typeOf(schema.items, described)}`;
  const types = [schema.type ?? "object"].flat();
  const format = schema.format === undefined ? "" : ` (${schema.format})`;
  return types.map((type) => (type === "string" ? `string${format}` : type)).join(" or ");
}

function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, items } = schema;
  const values = schema.enum ?? items?.enum;
  const limits = [
    values === undefined ? "" : `One of ${values.map((value) => `\`${value}\``).join(", ")}.`,
    schema.const === undefined ? "" : `Always \`${schema.const}\`.`,
    range(schema),
    bounds(minLength, maxLength, "characters"),
    bounds(minItems, maxItems, "items"),
    schema.default === undefined
      ? ""
      : `Default: \`${typeof schema.default === "string" ? schema.default : JSON.stringify(schema.default)}\`.`,
  ];
  return limits.filter((limit) => limit !== "");
}

function range({ minimum, exclusiveMinimum, maximum }: Schema): string {
  const least =
    exclusiveMinimum === undefined
      ? minimum === undefined
        ? ""
        : `at least ${number(minimum)}`
      : `greater than ${number(exclusiveMinimum)}`;
  const most = maximum === undefined ? "" : `at most ${number(maximum)}`;
  return sentence([least, most].filter((part) => part !== "").join(", "));
}

function bounds(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined) return least === undefined ? "" : `At least ${number(least)} ${unit}.`;
  if (least === undefined || least === 0) return `At most ${number(most)} ${unit}.`;
  return `${number(least)} to ${number(most)} ${unit}.`;
}

function number(value: number): string {
  return value.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

function sentence(text: string): string {
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
