export const texts = {
  dropped: (names: string) =>
    `The address had filters that this list does not have; they were left out: ${names}`,
  clear: "Clear filters",
  period: "Period",
  periods: {
    "7d": "Last 7 days",
    "30d": "Last 30 days",
    "90d": "Last 90 days",
    "365d": "Last 12 months",
  } as Record<string, string>,
};
