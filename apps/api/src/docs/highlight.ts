import type { LanguageFn } from "highlight.js";
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";

/** By the first word after a code block's fence. */
const LANGUAGES: Record<string, LanguageFn> = {
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

/** The code as HTML, with classes on its parts; empty for a language that is not known, or none. */
export function highlight(code: string, language: string): string {
  if (LANGUAGES[language] === undefined) return "";
  return highlighter.highlight(code, { language }).value;
}
