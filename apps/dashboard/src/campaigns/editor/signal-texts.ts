/** The texts of signs of fraud. */
export const signal_texts = {
  title: "Signs of fraud",
  hint: "What happens to payments that have one. Commissions for leads are not checked: only a review of all, of the first or of large ones holds them. The decision shows the evidence; affiliates do not see it. Changes apply to future payments.",
  names: {
    shared_domain: "Customer and affiliate share a company’s domain",
    disposable_email: "The customer has a disposable email",
    shared_payout_email: "Another affiliate has the same payout email",
    paid_search: "The click came from an ad",
    listed_referrer: "The click came from a listed site",
    shared_network: "Customer and affiliate used the same network on one day",
    shared_card: "Customer and affiliate paid with the same card",
    many_clicks: "The affiliate had too many clicks at once",
    many_signups: "The affiliate had too many sign-ups at once",
    many_refunds: "The affiliate has far more refunds than others",
  },
  settings: { off: "Off", flag: "Flag", hold: "Hold for review", refuse: "Refuse" },
  referrers: "Listed sites",
  referrers_hint: "One host on each line, such as coupons.example.com. Subdomains are included.",
  flag_hint: "To review flagged commissions, choose “With a sign of fraud” above.",
};
