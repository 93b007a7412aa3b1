/**
 * Parses an absolute URL; null: it is not one. Not `URL.canParse`: once V8 has optimized a caller, Node 20 reads the
 * bytes of a Latin-1 string there as UTF-8, and refuses `https://bücher.example` from then on.
 */
export function parseUrl(text: string): URL | null {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not a URL
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
