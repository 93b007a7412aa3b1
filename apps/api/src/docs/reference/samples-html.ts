import { codeBlock } from "../code-block.ts";
import { escapeHtml } from "../escape.ts";
import type { ReferenceOperation } from "./model.ts";

/** The highlighter's names of the sample languages. */
const FENCES: Record<string, string> = {
  Shell: "sh",
  TypeScript: "ts",
  Python: "python",
  PHP: "php",
  Go: "go",
  Ruby: "ruby",
};

/** A sample's language as named after a Markdown fence. */
export function fenceOf(lang: string): string {
  return FENCES[lang] ?? "";
}

/**
 * The samples of an operation. The style sheet shows the one in the language that the root element names; a
 * script sets it before the first paint, and the language switch changes it.
 */
export function samplesHtml({ samples, summary }: ReferenceOperation): string {
  const choices = samples.map(({ lang, label }) => {
    const fence = fenceOf(lang);
    return `<button type="button" data-choose="${fence}" aria-pressed="${fence === "sh"}">${escapeHtml(label)}</button>`;
  });
  const blocks = samples.map(({ lang, source }) => {
    const fence = fenceOf(lang);
    return `<div data-sample="${fence}">\n${codeBlock({ code: source, language: fence })}</div>`;
  });
  return `<div class="samples">
<div class="languages" role="group" aria-label="Language of the sample: ${escapeHtml(summary)}">
${choices.join("\n")}
</div>
${blocks.join("\n")}
</div>
`;
}
