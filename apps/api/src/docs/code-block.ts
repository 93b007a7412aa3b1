import { escapeHtml } from "./escape.ts";
import { highlight } from "./highlight.ts";

interface CodeBlock {
  code: string;
  /** The language, as after a Markdown fence: `sh`, `json`. */
  language: string;
  /** The code's file name, shown above it. */
  name?: string;
}

/**
 * A code block with a copy button. Wide lines scroll inside the block, by keyboard as well. The button is
 * part of the HTML, so that nothing moves when the script loads.
 */
export function codeBlock({ code, language, name = "" }: CodeBlock): string {
  const html = highlight(code, language) || escapeHtml(code);
  const title = name === "" ? "" : `<p class="code-name">${escapeHtml(name)}</p>`;
  const label = name === "" ? "Code" : escapeHtml(name);
  return (
    `<div class="code">${title}<button type="button" class="copy">Copy</button>` +
    `<pre tabindex="0" role="region" aria-label="${label}"><code>${html}</code></pre></div>\n`
  );
}
