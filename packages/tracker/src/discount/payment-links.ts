import { LINKS } from "../payment-links.ts";

/** The query parameter of Payment Links. Buy Buttons and pricing tables have no such attribute. */
const PARAMETER = "prefilled_promo_code";

let current: string | null = null;

/** Adds a promo code to Payment Links, now and whenever the page adds or changes them. Codes set by the page itself stay. */
export function fillPaymentLinks(code: string): void {
  const previous = current;
  current = code;
  fill(code, previous);
  // The observer runs already.
  if (previous) return;
  new MutationObserver(() => {
    if (current) fill(current, null);
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["href"] });
}

function fill(code: string, previous: string | null): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(LINKS)) {
    // biome-ignore lint/plugin/swallowed-failure: the page's own link may not be a valid URL
    try {
      const url = new URL(link.href);
      const own = url.searchParams.get(PARAMETER);
      if (own && own !== previous) continue;
      url.searchParams.set(PARAMETER, code);
      link.href = url.href;
    } catch {}
  }
}
