import { codeBlock } from "../code-block.ts";
import { escapeHtml } from "../escape.ts";
import { renderInline } from "../markdown.ts";
import { answerFields, type Described, fieldsOf, parameterFields } from "./fields.ts";
import { fieldsHtml, type ObjectAddress } from "./fields-html.ts";
import type { OperationError, ReferenceEvent, ReferenceObject, ReferenceOperation } from "./model.ts";
import { LOCATIONS, parametersIn } from "./parameters.ts";
import { samplesHtml } from "./samples-html.ts";

/** What the parts of a page share. */
export interface PageContext {
  described: Described;
  addressOf: ObjectAddress;
  /** The address of `/docs/` from the page: `../`. */
  root: string;
}

/** One operation: its description and fields beside its samples and answer. */
export function operationHtml(operation: ReferenceOperation, context: PageContext): string {
  const { anchor, method, path, summary, description, body, response, errors } = operation;
  const { described, addressOf } = context;
  const parameters = LOCATIONS.map(({ location, heading }) => {
    const fields = parameterFields(parametersIn(operation, location), described);
    return part(heading, fieldsHtml(fields, addressOf));
  });
  const bodied = body === null ? "" : part("Body", fieldsHtml(fieldsOf(body.schema, described), addressOf));
  const returned = `<p>${renderInline(`\`200\` ${response.description}`)}</p>\n${fieldsHtml(answerFields(response.schema, described), addressOf)}`;
  return section({
    anchor,
    title: summary,
    said: `<p class="route">${methodHtml(method)} <code>${pathHtml(path)}</code></p>
${paragraph(description)}${parameters.join("")}${bodied}${part("Response", returned)}${part("Errors", errorsHtml(errors, context.root))}`,
    shown: `${samplesHtml(operation)}<p class="shown-name">Response</p>\n${json(response.example)}`,
  });
}

/** The resource that the operations of a page return. */
export function objectHtml({ name, anchor, schema, example }: ReferenceObject, context: PageContext): string {
  const { described, addressOf } = context;
  return section({
    anchor,
    title: `The ${name.toLowerCase()} object`,
    said: `${paragraph(schema.description ?? "")}${fieldsHtml(answerFields(schema, described), addressOf)}`,
    shown: `<p class="shown-name">The ${name.toLowerCase()} object</p>\n${json(example)}`,
  });
}

/** One webhook event: its headers and body. */
export function eventHtml(event: ReferenceEvent, { described, addressOf }: PageContext): string {
  const { anchor, type, summary, description, headers, schema, example } = event;
  const fields = parameterFields(headers, described);
  return section({
    anchor,
    title: type,
    said: `${paragraph(`${summary}. ${description}`)}${part("Headers", fieldsHtml(fields, addressOf))}${part("Body", fieldsHtml(answerFields(schema, described), addressOf))}`,
    shown: `<p class="shown-name">Body</p>\n${json(example)}`,
  });
}

export function methodHtml(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A path that may be broken after each slash. */
function pathHtml(path: string): string {
  return escapeHtml(path).replaceAll("/", "/<wbr>");
}

function section({
  anchor,
  title,
  said,
  shown,
}: {
  anchor: string;
  title: string;
  said: string;
  shown: string;
}): string {
  return `<section class="operation" aria-labelledby="${anchor}">
<div class="said">
<h2 id="${anchor}"><a href="#${anchor}">${escapeHtml(title)}</a></h2>
${said}</div>
<div class="shown">
${shown}</div>
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
