import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The document that shows the programs in each language. */
export const REST_DOCUMENT = join(ROOT, "docs/rest.md");

/** Every document that shows example files. */
export const EXAMPLE_DOCUMENTS = [
  REST_DOCUMENT,
  join(ROOT, "docs/migrating.md"),
  join(ROOT, "docs/tracking.md"),
];

const SHOWN = /^(```[a-z]+ (examples\/\S+)\n)[\s\S]*?^```$/gm;

/** Updates each code block that shows an example file. */
export function withExamples(markdown: string): string {
  return markdown.replaceAll(SHOWN, (_, fence: string, file: string) => {
    return `${fence}${readFileSync(join(ROOT, file), "utf8")}\`\`\``;
  });
}

/** The files that a document shows. */
export function shownIn(markdown: string): string[] {
  return [...markdown.matchAll(SHOWN)].map(([, , file = ""]) => file);
}
