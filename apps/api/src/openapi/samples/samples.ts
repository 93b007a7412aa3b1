import type { CodeSample } from "../document-types.ts";
import { curlSample } from "./curl.ts";
import { goSample } from "./go.ts";
import { phpSample } from "./php.ts";
import { pythonSample } from "./python.ts";
import type { SampleRequest } from "./request.ts";
import { rubySample } from "./ruby.ts";
import { typescriptSample } from "./typescript.ts";

/** A sample language: its name in the document's `x-codeSamples`, its label, and its writer. */
interface SampleLanguage {
  lang: string;
  label: string;
  write(request: SampleRequest): string;
}

/** In the order of the reference's language switch. */
const LANGUAGES: readonly SampleLanguage[] = [
  { lang: "Shell", label: "curl", write: curlSample },
  { lang: "TypeScript", label: "TypeScript", write: typescriptSample },
  { lang: "Python", label: "Python", write: pythonSample },
  { lang: "PHP", label: "PHP", write: phpSample },
  { lang: "Go", label: "Go", write: goSample },
  { lang: "Ruby", label: "Ruby", write: rubySample },
];

/**
 * The samples of an operation, one per language. Each reads the service's address from `FINDERSFEE_URL` and
 * the key from `FINDERSFEE_API_KEY`, sends the same request, and prints the response or its ids.
 */
export function codeSamples(request: SampleRequest): CodeSample[] {
  return LANGUAGES.map(({ lang, label, write }) => ({ lang, label, source: write(request) }));
}
