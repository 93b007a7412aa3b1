/** An endpoint's URL in the space of a name: `hooks.example.com/findersfee`. */
export function shortUrl(url: string): string {
  return url.replace(/^https:\/\//, "").replace(/\/$/, "");
}
