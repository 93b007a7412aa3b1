export const home = {
  share: "What you share",
  link: "Your link",
  promo_code: "Your promo code",
  nothing: "You have no link and no promo code yet. Ask the organization for one.",
};
