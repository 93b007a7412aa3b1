/** The choices of a campaign's settings, which its history shows, too. */
export const words = {
  kinds: { percentage: "Percentage", fixed: "Fixed amount" },
  limits: {
    none: "As long as the customer pays",
    months: "A number of months",
    payments: "A number of payments",
  },
  code_modes: { link: "Link", coupon: "Promo code", both: "Link and promo code" },
  attributions: { last_click: "Last click", first_click: "First click" },
  joinings: { listed: "Anyone, listed publicly", by_link: "Anyone with the link", closed: "Nobody" },
  reviews: {
    none: "None",
    first: "Each affiliate’s first",
    all: "All",
  },
  customer_scopes: { new: "New customers only", any: "All customers" },
};
