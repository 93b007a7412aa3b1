/** The lists of the dashboard that have views. Pages need them without the schemas. */
export const viewed_lists = [
  "affiliates",
  "referrals",
  "commissions",
  "payments",
  "claims",
  "payouts",
  "next_run",
  "events",
  "deliveries",
  "history",
] as const;

export type ViewedList = (typeof viewed_lists)[number];

/** The longest name of a view. */
export const MAX_VIEW_NAME = 60;
