import { type Described, type Field, fieldsOf, parameterFields, responseFields } from "./fields.ts";
import type { ReferenceEvent, ReferenceObject, ReferenceOperation, ReferencePage } from "./model.ts";
import { LOCATIONS, parametersIn } from "./parameters.ts";
import type { ApiReference } from "./reference.ts";
import { fenceOf } from "./samples-html.ts";

/** A reference page as Markdown, with the same content as its HTML. */
export function pageMarkdown(page: ReferencePage, { described }: ApiReference): string {
  const { title, description, object, operations, events } = page;
  const parts = [
    `# ${title}`,
    description,
    ...(object === null ? [] : objectParts(object, described)),
    ...operations.flatMap((operation) => operationParts(operation, described)),
    ...events.flatMap((event) => eventParts(event, described)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function objectParts({ name, schema, example }: ReferenceObject, described: Described): string[] {
  const title = `## The ${name.toLowerCase()} object`;
  return [title, schema.description ?? "", list(responseFields(schema, described)), json(example)];
}

function operationParts(operation: ReferenceOperation, described: Described): string[] {
  const { method, path, summary, description, body, response, errors, samples } = operation;
  const parameters = LOCATIONS.flatMap(({ location, heading }) => {
    const fields = parameterFields(parametersIn(operation, location), described);
    return fields.length === 0 ? [] : [`### ${heading}`, list(fields)];
  });
  const rows = errors.map(({ status, code, message }) => `| ${status} | \`${code}\` | ${message} |`);
  return [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description,
    ...parameters,
    ...(body === null ? [] : ["### Body", list(fieldsOf(body.schema, described))]),
    "### Response",
    `\`200\` ${response.description}`,
    list(responseFields(response.schema, described)),
    json(response.example),
    "### Errors",
    `| status | code | message |\n| --- | --- | --- |\n${rows.join("\n")}`,
    "### Samples",
    ...samples.flatMap(({ lang, label, source }) => [`${label}:`, fenced(fenceOf(lang), source)]),
  ];
}

function eventParts(event: ReferenceEvent, described: Described): string[] {
  const { type, summary, description, headers, schema, example } = event;
  return [
    `## ${type}`,
    `${summary}. ${description}`,
    "### Headers",
    list(parameterFields(headers, described)),
    "### Body",
    list(responseFields(schema, described)),
    json(example),
  ];
}

function list(fields: readonly Field[], indent = ""): string {
  return fields
    .flatMap(({ name, type, required, description, limits, children }) => {
      const text = [description, ...limits].filter((part) => part !== "").join(" ");
      const line = `${indent}- \`${name}\` (${type}${required ? ", required" : ""})${text === "" ? "" : `: ${text}`}`;
      return children.length === 0 ? [line] : [line, list(children, `${indent}  `)];
    })
    .join("\n");
}

function json(value: unknown): string {
  return fenced("json", `${JSON.stringify(value, null, 2)}\n`);
}

function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\`\`\``;
}
