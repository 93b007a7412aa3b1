/** Payment Links on Stripe's domain, and marked ones on a custom domain. */
export const LINKS = 'a[href^="https://buy.stripe.com/"],a[data-findersfee-checkout]';
