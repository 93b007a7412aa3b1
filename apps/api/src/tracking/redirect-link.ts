import { readCode } from "@findersfee/contract/fields";
import { REDIRECT_PATH } from "../redirect-path.ts";

/** The parts of a redirect link, `/r/jane?key=ff_pk_…&sub=newsletter&utm_source=x`. */
export interface RedirectLink {
  /** Null: the link has no valid code. */
  code: string | null;
  /** Undefined: the link has none. */
  key: string | undefined;
  sub: string | undefined;
  /** The other parameters, as in a query, for the page that the link leads to. */
  passed_on: string[];
}

/** The route of redirect links, with a wildcard, because tools add slashes to links. */
export const REDIRECT_ROUTE = `${REDIRECT_PATH}*`;

/** Parameters with a meaning here. The page gets `via` and `ff_click` of this click. */
const OWN = new Set(["key", "sub", "via", "ff_click"]);

/**
 * Reads a link that people and tools have changed: characters around the code and the key, a second question mark,
 * a missing one, `&` as HTML escapes it, and an escaped query.
 */
export function readRedirectLink(url: string): RedirectLink {
  const has_escaped_query = /^[^?&]*%(?:3f|26)/i.test(url);
  const text = (has_escaped_query ? decode(url) : url).slice(REDIRECT_PATH.length);
  const start = text.search(/[?&]/);
  const path = start === -1 ? text : text.slice(0, start);
  const parameters = start === -1 ? [] : parametersOf(text.slice(start + 1));
  const read = (name: string) => parameters.find((parameter) => parameter.name === name)?.value;
  return {
    code: readCode(decode(path)),
    key: /^\s*(\w+)/.exec(read("key") ?? "")?.[1],
    sub: read("sub"),
    passed_on: parameters.filter(({ name }) => !OWN.has(name)).map(({ text }) => escapeText(text)),
  };
}

interface Parameter {
  name: string;
  value: string;
  /** As in the link. */
  text: string;
}

function parametersOf(query: string): Parameter[] {
  return query
    .replace(/&(?:amp|#0?38);/g, "&")
    .split("&")
    .flatMap(splitAtQuestionMarks)
    .map(readParameter)
    .filter(({ name }) => name !== "");
}

/** Text that means the same in a query as outside of one. Most links have no other, and `URL` takes longer than the rest. */
const PLAIN = /^[\w.-]*(?:=[\w.-]*)?$/;

function readParameter(text: string): Parameter {
  if (PLAIN.test(text)) {
    const [name = "", value = ""] = text.split("=");
    return { name, value, text };
  }
  const [name, value] = new URLSearchParams(text).entries().next().value ?? ["", ""];
  return { name, value, text };
}

/** A question mark is valid in a value, so it separates parameters only beside one that is read here. */
function splitAtQuestionMarks(text: string): string[] {
  return /^(?:key|sub)=/.test(text) ? text.split("?") : text.split(/\?(?=(?:key|sub)=)/);
}

/** The same in characters that a URL may have. */
function escapeText(text: string): string {
  return PLAIN.test(text) ? text : new URL(`?${text}`, "http://localhost").search.slice(1);
}

/** A text with invalid escapes stays as it is. */
function decode(text: string): string {
  if (!text.includes("%")) return text;
  // biome-ignore lint/plugin/swallowed-failure: anyone can write a link with an invalid escape
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
