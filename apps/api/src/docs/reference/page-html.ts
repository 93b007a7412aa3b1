import { setImmediate } from "node:timers/promises";
import { escapeHtml } from "../escape.ts";
import { renderInline } from "../markdown.ts";
import type { ReferencePage } from "./model.ts";
import { eventHtml, methodHtml, objectHtml, operationHtml, type PageContext } from "./operation-html.ts";
import type { ApiReference } from "./reference.ts";

/**
 * The main part of a reference page. Highlighting its samples takes tens of milliseconds, so it yields to
 * other requests in between.
 */
export async function pageHtml(page: ReferencePage, reference: ApiReference): Promise<string> {
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
  const sections = object === null ? [] : [objectHtml(object, context)];
  for (const operation of operations) {
    await setImmediate();
    sections.push(operationHtml(operation, context));
  }
  for (const event of events) sections.push(eventHtml(event, context));
  return `<header class="resource">
<h1>${escapeHtml(title)}</h1>
<p>${renderInline(description)}</p>
<ul class="contents">
${contents.join("\n")}
</ul>
</header>
${sections.join("")}`;
}
