const TEXT_ARRAY = 1009;
const UUID_ARRAY = 2951;

/** One-dimensional arrays of texts and of ids, in Postgres' notation: `{a,"b c",NULL}`. */
export const textArray = {
  to: TEXT_ARRAY,
  from: [TEXT_ARRAY, UUID_ARRAY],
  serialize: (values: string[]) => `{${values.map(quote).join(",")}}`,
  parse: (text: string): string[] => [...text.matchAll(ELEMENT)].map(([whole]) => unquote(whole)),
};

/**
 * A column of values as a parameter for `:name::text::type[]`. Postgres parses it in a third of the time that
 * the same rows take as JSON.
 */
export function arrayText(values: readonly (string | number | boolean | Date | null)[]): string {
  return `{${values.map(elementText).join(",")}}`;
}

/** Same, for texts that need no quotes: not empty, and only letters, digits and `-:.`. */
export function plainArrayText(values: readonly string[]): string {
  return `{${values.join(",")}}`;
}

function elementText(value: string | number | boolean | Date | null): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return quote(value);
  return value instanceof Date ? value.toISOString() : String(value);
}

const ELEMENT = /"(?:[^"\\]|\\.)*"|[^{},]+/gs;

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

function unquote(element: string): string {
  return element.startsWith('"') ? element.slice(1, -1).replace(/\\(.)/gs, "$1") : element;
}
