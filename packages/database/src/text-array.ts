const TEXT_ARRAY = 1009;
const UUID_ARRAY = 2951;

/** One-dimensional arrays of texts and of ids, in Postgres' own notation: `{a,"b c",NULL}`. */
export const textArray = {
  to: TEXT_ARRAY,
  from: [TEXT_ARRAY, UUID_ARRAY],
  serialize: (values: string[]) => `{${values.map(quote).join(",")}}`,
  parse: (text: string): string[] => [...text.matchAll(ELEMENT)].map(([whole]) => unquote(whole)),
};

const ELEMENT = /"(?:[^"\\]|\\.)*"|[^{},]+/gs;

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

function unquote(element: string): string {
  return element.startsWith('"') ? element.slice(1, -1).replace(/\\(.)/gs, "$1") : element;
}
