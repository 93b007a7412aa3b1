import {
  bash,
  go,
  highlighter,
  javascript,
  json,
  type Language,
  php,
  python,
  ruby,
  sql,
  typescript,
} from "./highlighter.js";

/** Languages by the first word after a code block's fence. */
const LANGUAGES: Record<string, Language> = {
  sh: bash,
  ts: typescript,
  js: javascript,
  json,
  sql,
  python,
  php,
  go,
  ruby,
};

for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);

/** Highlights code as HTML; empty for an unknown or missing language. */
export function highlight(code: string, language: string): string {
  if (LANGUAGES[language] === undefined) return "";
  return highlighter.highlight(code, { language }).value;
}
