/** The parameters of the affiliate link that led the visitor to this page. */
export interface Landing {
  /** An affiliate's code. */
  code: string;
  /** The affiliate's own name for the place of the link. The service ignores values that are none. */
  sub: string | undefined;
  /** The click that a redirect link already recorded. */
  click_id: string | undefined;
}

/** Reads `?via=jane`, or the same in the hash, as in `#via=jane` and `#/pricing?via=jane`. */
export function readLanding(parameter: string): Landing | null {
  const query = new URLSearchParams(location.search);
  const hash = new URLSearchParams(location.hash.replace(/^.*\?|^#/, ""));
  const read = (name: string) => query.get(name) || hash.get(name) || "";
  const code = read(parameter);
  // The service would reject such a code: the parameter belongs to another affiliate program.
  if (!/^[\w-]{2,64}$/.test(code)) return null;
  return { code, sub: read("sub") || undefined, click_id: read("ff_click") || undefined };
}

/** Whether the page was reloaded, or reached with the back or forward button. */
export function isRepeated(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation !== undefined && "type" in navigation && /^(rel|back)/.test(String(navigation.type));
}
