import { escapeHtml } from "../escape.ts";
import { renderInline } from "../markdown.ts";
import type { Field } from "./fields.ts";

/** The address of an object's description, from the page that links to it. */
export type ObjectAddress = (name: string) => string;

/** A list of fields; an object's own fields expand below it. */
export function fieldsHtml(fields: readonly Field[], addressOf: ObjectAddress): string {
  if (fields.length === 0) return "";
  const items = fields.map((field) => `<li>${fieldHtml(field, addressOf)}</li>`);
  return `<ul class="fields">\n${items.join("\n")}\n</ul>\n`;
}

function fieldHtml(field: Field, addressOf: ObjectAddress): string {
  const { name, required, description, limits, children } = field;
  const required_html = required ? ' <span class="required">required</span>' : "";
  const text = [description, ...limits].filter((part) => part !== "").join(" ");
  const nested =
    children.length === 0
      ? ""
      : `<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>\n${fieldsHtml(children, addressOf)}</details>`;
  return (
    `<p class="field"><code>${escapeHtml(name)}</code> <span class="type">${typeHtml(field, addressOf)}</span>${required_html}</p>` +
    `${text === "" ? "" : `<p>${renderInline(text)}</p>`}${nested}`
  );
}

function typeHtml({ type, object }: Field, addressOf: ObjectAddress): string {
  const text = escapeHtml(type);
  return object === null ? text : text.replace(object, `<a href="${addressOf(object)}">${object}</a>`);
}
