import { LINKS } from "./payment-links.ts";

/** The attribute of Stripe's buttons and pricing tables, and the query parameter of Payment Links. */
const ATTRIBUTE = "client-reference-id";
const PARAMETER = "client_reference_id";

const ELEMENTS = "stripe-buy-button,stripe-pricing-table";

let current: string | null = null;

/**
 * Adds a click to Stripe's links and elements, now and whenever the page adds or changes them. Values set by
 * the page itself stay.
 */
export function fillStripe(click_id: string): void {
  const previous = current;
  current = click_id;
  fill(click_id, previous);
  // The observer runs already.
  if (previous) return;
  new MutationObserver(() => {
    if (current) fill(current, null);
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["href"] });
}

function fill(click_id: string, previous: string | null): void {
  const isReplaceable = (value: string | null) => !value || value === previous;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(LINKS)) {
    // biome-ignore lint/plugin/swallowed-failure: the page's own link may not be a valid URL
    try {
      const url = new URL(link.href);
      if (!isReplaceable(url.searchParams.get(PARAMETER))) continue;
      url.searchParams.set(PARAMETER, click_id);
      link.href = url.href;
    } catch {}
  }
  for (const element of document.querySelectorAll(ELEMENTS)) {
    if (isReplaceable(element.getAttribute(ATTRIBUTE))) element.setAttribute(ATTRIBUTE, click_id);
  }
}
