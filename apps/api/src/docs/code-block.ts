import { escapeHtml } from "./escape.ts";
import { highlight } from "./highlight.ts";

interface CodeBlock {
  code: string;
  /** As after a Markdown fence: `sh`, `json`. */
  language: string;
  /** The file that the code is saved as, shown above it. */
  name?: string;
}

/**
 * A block of code with a button that copies it. A wide line scrolls inside the block, by keyboard too. The
 * button is in the page from the beginning, so that nothing moves when the script arrives.
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
