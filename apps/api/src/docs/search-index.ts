import type { Section } from "./markdown.ts";
import { markdown } from "./markdown.ts";
import { addressOf, type Entry } from "./pages.ts";
import { type Field, fieldsOf, parameterFields } from "./reference/fields.ts";
import type { ReferencePage } from "./reference/model.ts";
import type { ApiReference } from "./reference/reference.ts";

/** An entry of the browser's search index: a heading of a page, or an operation. */
export interface SearchEntry {
  /** The section's address below `/docs/`, as in links. */
  id: string;
  page: string;
  heading: string;
  text: string;
  /** An operation's request, shown next to its name: `POST /v1/campaigns`. */
  request?: string;
}

/** The entries of a Markdown page. */
export function sectionEntries(page: Entry, sections: readonly Section[]): SearchEntry[] {
  return sections.map(({ anchor, heading, text }) => {
    const id = anchor === "" ? addressOf(page) : `${addressOf(page)}#${anchor}`;
    return { id, page: page.title, heading, text };
  });
}

/** The entries of a reference page: the page, its object, and its operations or events. */
export function referenceEntries(page: ReferencePage, { described }: ApiReference): SearchEntry[] {
  const { slug, title, description, object, operations, events } = page;
  return [
    { id: slug, page: title, heading: title, text: plain(description) },
    ...(object === null
      ? []
      : [
          {
            id: `${slug}#${object.anchor}`,
            page: title,
            heading: `The ${object.name.toLowerCase()} object`,
            text: wordsOf(fieldsOf(object.schema, described)),
          },
        ]),
    ...operations.map(({ anchor, summary, method, path, description: text, parameters, body, errors }) => ({
      id: `${slug}#${anchor}`,
      page: title,
      heading: summary,
      request: `${method} ${path}`,
      text: [
        plain(text),
        wordsOf(parameterFields(parameters, described)),
        body === null ? "" : wordsOf(fieldsOf(body.schema, described)),
        errors.map(({ code }) => code).join(" "),
        anchor,
      ].join("\n"),
    })),
    ...events.map(({ anchor, type, summary, description: text }) => ({
      id: `${slug}#${anchor}`,
      page: title,
      heading: type,
      text: plain(`${summary}. ${text}`),
    })),
  ];
}

function wordsOf(fields: readonly Field[]): string {
  return fields.map(({ name, description }) => `${name}: ${plain(description)}`).join("\n");
}

/** A description without Markdown. */
function plain(text: string): string {
  return markdown
    .parseInline(text, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ content }) => content)
    .join("");
}
