/** The parameters of the affiliate link that led the visitor to this page. */
export interface Landing {
  /** An affiliate's code. */
  code: string;
  /** The affiliate's own name for the place of the link. The service ignores values that are none. */
  sub: string | undefined;
  /** The click that a redirect link already recorded. */
  click_id: string | undefined;
}

/**
 * Reads `?via=jane`, or the same in the hash, as in `#via=jane` and `#/pricing?via=jane`. Tools that share links add a
 * second question mark or forget the first, escape `&` as in HTML, and put characters around the code.
 */
export function readLanding(parameter: string): Landing | null {
  const values = new URLSearchParams(location.href.replace(/&(amp|#0?38);|[?#]/g, "&"));
  const read = (name: string) => values.getAll(name).find(Boolean);
  // As `readCode` of the service does. Another value belongs to another affiliate program.
  const code = /^\s*([\w-]{2,64})(?![\w-])/.exec(read(parameter) || "")?.[1];
  return code ? { code, sub: read("sub"), click_id: read("ff_click") } : null;
}

/** Whether the page was reloaded, or reached with the back or forward button. */
export function isRepeated(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation !== undefined && "type" in navigation && /^(rel|back)/.test(String(navigation.type));
}
