export const texts = {
  campaign: "Campaign",
};
