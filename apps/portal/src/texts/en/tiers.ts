type Period = "month" | "last_90_days" | "all_time";

const periods: Record<Period, string> = {
  month: "this month",
  last_90_days: "in the last 90 days",
  all_time: "in total",
};

export const tiers = {
  tier: "Your tier",
  none: "You don’t have a tier yet.",
  progress: {
    customers: (number: string, from: string, period: Period) =>
      `${number} of ${from} customers ${periods[period]}`,
    revenue: (number: string, from: string, period: Period) =>
      `${number} of ${from} revenue ${periods[period]}`,
    commissions: (number: string, from: string, period: Period) =>
      `${number} of ${from} commissions ${periods[period]}`,
  },
  next: (name: string) => `Next tier: ${name}`,
  bonus: (amount: string) => `${amount} bonus when you reach it`,
  highest: "You’ve reached the highest tier.",
  hint: "Updated hourly. Your tier changes overnight.",
  leaderboard: "Leaderboard",
  by_customers: (period: Period) => `By customers ${periods[period]}`,
  customers: (count: string, is_one: boolean) => `${count} ${is_one ? "customer" : "customers"}`,
  you: "You",
  unnamed: "Affiliate",
  empty: "Nobody has a customer yet. Be the first.",
};
