import { referencedName, type Schema, type Side } from "./schema.ts";

const LINE_WIDTH = 110;

/** Generates an interface from an object schema. */
export function interfaceOf(name: string, schema: Schema, side: Side): string {
  const lines = Object.entries(schema.properties ?? {}).flatMap(([property, value]) => {
    const required = schema.required?.includes(property) ?? false;
    const more = required || side === "output" ? [] : ["undefined"];
    return [...comment(describe(value, side), "  "), ...propertyLines(property, value, { required, more })];
  });
  return [...comment(schema.description ?? ""), `export interface ${name} {`, ...lines, "}"].join("\n");
}

/** Generates a named union of string literals. */
export function unionOf(name: string, texts: readonly string[], description: string): string {
  const members = texts.map((text) => JSON.stringify(text));
  return [...comment(description), ...typeLines(`export type ${name} =`, members, "")].join("\n");
}

/** Generates a doc comment, wrapped to the line width; nothing for an empty text. */
export function comment(text: string, indent = ""): string[] {
  if (text === "") return [];
  if (`${indent}/** ${text} */`.length <= LINE_WIDTH) return [`${indent}/** ${text} */`];
  return [`${indent}/**`, ...wrap(text, `${indent} * `), `${indent} */`];
}

function wrap(text: string, prefix: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && prefix.length + longer.length <= LINE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => `${prefix}${line}`);
}

function propertyLines(
  property: string,
  schema: Schema,
  { required, more }: { required: boolean; more: readonly string[] },
): string[] {
  const members = [...membersOf(schema), ...more];
  return typeLines(`  ${property}${required ? "" : "?"}:`, members, "  ");
}

/** Generates a type import, on one line or with one name per line. */
export function importOf(names: Iterable<string>, file: string): string {
  const sorted = [...new Set(names)].sort();
  const line = `import type { ${sorted.join(", ")} } from ${JSON.stringify(file)};`;
  if (line.length <= LINE_WIDTH) return line;
  return ["import type {", ...sorted.map((name) => `  ${name},`), `} from ${JSON.stringify(file)};`].join(
    "\n",
  );
}

/** Formats a union on one line or one member per line, as the formatter would. */
function typeLines(start: string, members: readonly string[], indent: string): string[] {
  const line = `${start} ${members.join(" | ")};`;
  if (line.length <= LINE_WIDTH) return [line];
  return [start, ...members.flatMap((member, index) => memberLines(member, indent, end(index, members)))];
}

/** Formats one union member; an array too long for one line has its choices on separate lines. */
function memberLines(member: string, indent: string, end: string): string[] {
  const line = `${indent}  | ${member}${end}`;
  const [, choices] = /^\((.*)\)\[\]$/.exec(member) ?? [];
  if (line.length <= LINE_WIDTH || choices === undefined) return [line];
  const lines = choices.split(" | ").map((choice) => `${indent}      | ${choice}`);
  return [`${indent}  | (`, ...lines, `${indent}    )[]${end}`];
}

function end(index: number, members: readonly string[]): string {
  return index === members.length - 1 ? ";" : "";
}

/** The union members of a schema; most schemas have one. */
function membersOf(schema: Schema): string[] {
  const name = referencedName(schema);
  if (name !== null) return [name];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(membersOf);
  if (schema.enum !== undefined) return schema.enum.map((text) => JSON.stringify(text));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return [schema.type ?? []].flat().map((type) => namedType(type, schema));
}

function namedType(type: string, { items }: Schema): string {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array": {
      const members = membersOf(items ?? {});
      return members.length === 1 ? `${members[0]}[]` : `(${members.join(" | ")})[]`;
    }
    default:
      throw new Error(`the generator does not support an unnamed ${type}`);
  }
}

/** Describes a field; for a request's field, adds its constraints. */
function describe(schema: Schema, side: Side): string {
  const text = schema.description ?? schema.anyOf?.[0]?.description ?? "";
  const sentences = side === "input" ? demands(schema) : [];
  return [text, ...sentences.filter((sentence) => !text.includes(sentence))]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function demands(schema: Schema): string[] {
  const value = schema.anyOf?.[0] ?? schema;
  if (schema.readOnly === true) return ["Read-only."];
  const { default: fallback } = schema;
  const shown = typeof fallback === "string" ? fallback : JSON.stringify(fallback);
  return [
    bounds(value),
    value.format === "date-time" ? "ISO 8601 with an offset." : "",
    shown === undefined ? "" : `Default: \`${shown}\`.`,
  ];
}

/** A format implies the length, so the maximum is omitted. */
function bounds({ type, format, minimum, maximum, exclusiveMinimum, maxLength, maxItems }: Schema): string {
  if (type === "integer" && minimum !== undefined) return `${minimum} to ${maximum}.`;
  if (exclusiveMinimum !== undefined) return `Greater than ${exclusiveMinimum}.`;
  if (maxItems !== undefined) return `At most ${maxItems} items.`;
  return maxLength === undefined || format !== undefined ? "" : `At most ${maxLength} characters.`;
}

/** The names that a schema's properties refer to. */
export function referencedNames(schema: Schema): string[] {
  const own = referencedName(schema);
  // The reference may have sibling keywords, such as a description.
  if (own !== null) return [own];
  return [
    ...Object.values(schema.properties ?? {}).flatMap(referencedNames),
    ...(schema.items === undefined ? [] : referencedNames(schema.items)),
    ...(schema.anyOf ?? []).flatMap(referencedNames),
  ];
}
