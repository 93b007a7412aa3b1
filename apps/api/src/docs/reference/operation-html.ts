import { codeBlock } from "../code-block.ts";
import { escapeHtml } from "../escape.ts";
import { renderInline } from "../markdown.ts";
import { type Described, fieldsOf, parameterFields, responseFields } from "./fields.ts";
import { fieldsHtml, type ObjectAddress } from "./fields-html.ts";
import type { OperationError, ReferenceEvent, ReferenceObject, ReferenceOperation } from "./model.ts";
import { LOCATIONS, parametersIn } from "./parameters.ts";
import { samplesHtml } from "./samples-html.ts";

/** Shared by the sections of a page. */
export interface PageContext {
  described: Described;
  addressOf: ObjectAddress;
  /** The address of `/docs/` from the page: `../`. */
  root: string;
}

/** An operation: its description and fields next to its samples and response. */
export function operationHtml(operation: ReferenceOperation, context: PageContext): string {
  const { anchor, method, path, summary, description, body, response, errors } = operation;
  const { described, addressOf } = context;
  const parameters = LOCATIONS.map(({ location, heading }) => {
    const fields = parameterFields(parametersIn(operation, location), described);
    return part(heading, fieldsHtml(fields, addressOf));
  });
  const bodied = body === null ? "" : part("Body", fieldsHtml(fieldsOf(body.schema, described), addressOf));
  const returned = `<p>${renderInline(`\`200\` ${response.description}`)}</p>\n${fieldsHtml(responseFields(response.schema, described), addressOf)}`;
  return section({
    anchor,
    title: summary,
    description: `<p class="route">${methodHtml(method)} <code>${pathHtml(path)}</code></p>
${paragraph(description)}${parameters.join("")}${bodied}${part("Response", returned)}${part("Errors", errorsHtml(errors, context.root))}`,
    example: `${samplesHtml(operation)}<p class="example-name">Response</p>\n${json(response.example)}`,
  });
}

/** The resource that the operations of a page return. */
export function objectHtml({ name, anchor, schema, example }: ReferenceObject, context: PageContext): string {
  const { described, addressOf } = context;
  return section({
    anchor,
    title: `The ${name.toLowerCase()} object`,
    description: `${paragraph(schema.description ?? "")}${fieldsHtml(responseFields(schema, described), addressOf)}`,
    example: `<p class="example-name">The ${name.toLowerCase()} object</p>\n${json(example)}`,
  });
}

/** A webhook event: its headers and body. */
export function eventHtml(event: ReferenceEvent, { described, addressOf }: PageContext): string {
  const { anchor, type, summary, description, headers, schema, example } = event;
  const fields = parameterFields(headers, described);
  return section({
    anchor,
    title: type,
    description: `${paragraph(`${summary}. ${description}`)}${part("Headers", fieldsHtml(fields, addressOf))}${part("Body", fieldsHtml(responseFields(schema, described), addressOf))}`,
    example: `<p class="example-name">Body</p>\n${json(example)}`,
  });
}

export function methodHtml(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A path that can wrap after each slash. */
function pathHtml(path: string): string {
  return escapeHtml(path).replaceAll("/", "/<wbr>");
}

function section({
  anchor,
  title,
  description,
  example,
}: {
  anchor: string;
  title: string;
  description: string;
  example: string;
}): string {
  return `<section class="operation" aria-labelledby="${anchor}">
<div class="description">
<h2 id="${anchor}"><a href="#${anchor}">${escapeHtml(title)}</a></h2>
${description}</div>
<div class="example">
${example}</div>
</section>
`;
}

function part(heading: string, html: string): string {
  return html === "" ? "" : `<h3>${heading}</h3>\n${html}`;
}

function paragraph(text: string): string {
  return text === "" ? "" : `<p>${renderInline(text)}</p>\n`;
}

function errorsHtml(errors: readonly OperationError[], root: string): string {
  const items = errors.map(({ status, code, message, details }) => {
    const facts = details.map((name) => `\`details.${name}\``).join(", ");
    const text = facts === "" ? message : `${message} With ${facts}.`;
    return `<li><p class="field"><span class="status">${status}</span> <a href="${root}errors#${code}"><code>${code}</code></a></p><p>${renderInline(text)}</p></li>`;
  });
  return `<ul class="fields errors">\n${items.join("\n")}\n</ul>\n`;
}

function json(value: unknown): string {
  return codeBlock({ code: `${JSON.stringify(value, null, 2)}\n`, language: "json" });
}
