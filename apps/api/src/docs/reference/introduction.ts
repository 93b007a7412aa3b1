import type { ApiReference } from "./reference.ts";

const PARAGRAPH = /^\*\*([^*]+)\.\*\* /gm;

/**
 * The reference's first page, in Markdown: the common rules, and a list of all operations. `suffix` ends the
 * addresses of the other pages.
 */
export function introduction({ document, pages }: ApiReference, suffix = ""): string {
  const general = document.info.description.replaceAll(PARAGRAPH, "## $1\n\n");
  const tables = pages
    .filter(({ operations }) => operations.length > 0)
    .map(({ title, slug, operations }) => {
      const rows = operations.map(({ method, path, summary, anchor }) => {
        return `| \`${method} ${path}\` | [${summary}](${slug}${suffix}#${anchor}) |`;
      });
      return `### ${title}\n\n| request | operation |\n| --- | --- |\n${rows.join("\n")}`;
    });
  const events = pages
    .flatMap((page) => page.events.map((event) => ({ page, event })))
    .map(({ page, event }) => {
      return `| [\`${event.type}\`](${page.slug}${suffix}#${event.anchor}) | ${event.summary}. |`;
    });
  return `# API reference

${general}

## All operations

${tables.join("\n\n")}

## All webhook events

| event | sent when |
| --- | --- |
${events.join("\n")}
`;
}
