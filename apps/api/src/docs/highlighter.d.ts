export interface Language {
  readonly __language: never;
}

export const highlighter: {
  registerLanguage(name: string, language: Language): void;
  highlight(code: string, options: { language: string }): { value: string };
};
export const bash: Language;
export const go: Language;
export const javascript: Language;
export const json: Language;
export const php: Language;
export const python: Language;
export const ruby: Language;
export const sql: Language;
export const typescript: Language;
