/** The attribute of Stripe's buttons and pricing tables, and the query parameter of Payment Links. */
const ATTRIBUTE = "client-reference-id";
const PARAMETER = "client_reference_id";

/** Payment Links, on Stripe's domain or marked as such on a custom domain. */
const LINKS = 'a[href^="https://buy.stripe.com/"],a[data-findersfee-checkout]';
const ELEMENTS = "stripe-buy-button,stripe-pricing-table";

let filled: string | null = null;

/**
 * Adds a click to Stripe's links and elements, now and whenever the page adds or changes them. Values set by
 * the page itself stay.
 */
export function fillStripe(click_id: string): void {
  const before = filled;
  filled = click_id;
  fill(click_id, before);
  if (before) return;
  new MutationObserver(() => {
    if (filled) fill(filled, null);
  }).observe(document, { childList: true, subtree: true, attributeFilter: ["href"] });
}

function fill(click_id: string, before: string | null): void {
  const isOurs = (value: string | null) => !value || value === before;
  for (const link of document.querySelectorAll<HTMLAnchorElement>(LINKS)) {
    try {
      const url = new URL(link.href);
      if (!isOurs(url.searchParams.get(PARAMETER))) continue;
      url.searchParams.set(PARAMETER, click_id);
      link.href = url.href;
    } catch {
      // Not a valid URL.
    }
  }
  for (const element of document.querySelectorAll(ELEMENTS)) {
    if (isOurs(element.getAttribute(ATTRIBUTE))) element.setAttribute(ATTRIBUTE, click_id);
  }
}
