/** What a link has brought a visitor with. */
export interface Landing {
  /** An affiliate's code. */
  code: string;
  /** The click that a redirect link has recorded already. */
  click_id: string | undefined;
}

/** Reads `?via=jane`, or the same in a hash, as in `#via=jane` and `#/pricing?via=jane`. */
export function readLanding(parameter: string): Landing | null {
  const query = new URLSearchParams(location.search);
  const hash = new URLSearchParams(location.hash.replace(/^.*\?|^#/, ""));
  const read = (name: string) => query.get(name) || hash.get(name) || "";
  const code = read(parameter);
  // What the service would refuse is for somebody else.
  if (!/^[\w-]{2,64}$/.test(code)) return null;
  return { code, click_id: read("ff_click") || undefined };
}

/** Whether the visitor only came back to a page that has been landed on before. */
export function isRepeated(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation !== undefined && "type" in navigation && /^(rel|back)/.test(String(navigation.type));
}
