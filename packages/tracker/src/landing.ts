import { parameters } from "./settings.ts";

/** The parameters of the affiliate link that led the visitor to a page. */
export interface Landing {
  /** An affiliate's code. Undefined: the visitor comes from another domain, with a click. */
  code: string | undefined;
  /** The affiliate's own name for the place of the link. The service ignores values that are none. */
  sub: string | undefined;
  /** The click that a redirect link already recorded, or that another domain's page had. */
  click_id: string | undefined;
  /** The page without its query and hash, which may be private. */
  url: string;
}

/** A link to another domain carries a click for ten minutes, so that people who share the page's address share no click. */
const CARRIED_MILLISECONDS = 600_000;

/**
 * Reads `?via=jane`, or the same in the hash, as in `#via=jane` and `#/pricing?via=jane`. Tools that share links add a
 * second question mark or forget the first, escape `&` as in HTML, and put characters around the code.
 */
export function readLanding(href: string): Landing | null {
  const values = new URLSearchParams(href.replace(/&(amp|#0?38);|[?#]/g, "&"));
  const read = (name: string) => values.getAll(name).find(Boolean);
  // As `readCode` of the service does. Another value belongs to another affiliate program.
  const [code] = parameters.flatMap((name) => /^\s*([\w-]{2,64})(?![\w-])/.exec(read(name) || "")?.[1] || []);
  const [click_id, carried_at] = read("ff_click")?.split(".") ?? [];
  if (!code && !(Math.abs(Date.now() - Number(carried_at)) < CARRIED_MILLISECONDS)) return null;
  return { code, sub: read("sub"), click_id, url: href.replace(/[?#].*/s, "").slice(0, 500) };
}

/** The value of `ff_click` in a link to another domain. */
export function carriedClick(click_id: string): string {
  return `${click_id}.${Date.now()}`;
}

/** Whether the page was reloaded, or reached with the back or forward button. */
export function isRepeated(): boolean {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  // `reload` or `back_forward`, not `navigate` or `prerender`.
  return /^[rb]/.test(navigation?.type as string);
}
