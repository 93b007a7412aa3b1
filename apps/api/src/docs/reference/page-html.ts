import { escapeHtml } from "../escape.ts";
import { renderInline } from "../markdown.ts";
import type { ReferencePage } from "./model.ts";
import { eventHtml, methodHtml, objectHtml, operationHtml, type PageContext } from "./operation-html.ts";
import type { ApiReference } from "./reference.ts";

/** The main part of a page of the reference. */
export function pageHtml(page: ReferencePage, reference: ApiReference): string {
  const { title, description, object, operations, events } = page;
  const context: PageContext = { ...reference, root: "../" };
  const contents = [
    ...operations.map(({ anchor, method, path, summary }) => {
      return `<li><a href="#${anchor}">${methodHtml(method)} <code>${escapeHtml(path)}</code> <span>${escapeHtml(summary)}</span></a></li>`;
    }),
    ...events.map(({ anchor, type, summary }) => {
      return `<li><a href="#${anchor}"><code>${type}</code> <span>${escapeHtml(summary)}</span></a></li>`;
    }),
  ];
  const sections = [
    ...(object === null ? [] : [objectHtml(object, context)]),
    ...operations.map((operation) => operationHtml(operation, context)),
    ...events.map((event) => eventHtml(event, context)),
  ];
  return `<header class="resource">
<h1>${escapeHtml(title)}</h1>
<p>${renderInline(description)}</p>
<ul class="contents">
${contents.join("\n")}
</ul>
</header>
${sections.join("")}`;
}
