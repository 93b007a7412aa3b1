export const texts = {
  dropped: (names: string) =>
    `The link had filters that this list does not support; they were ignored: ${names}`,
  clear: "Clear filters",
  among_newest: "among the rows that were searched",
  search_older: "Search older rows",
  period: "Period",
  own_period: "Custom range…",
  first_day: "First day",
  last_day: "Last day",
  days_hint: "In your time zone. Both days are included.",
  days_reversed: "The last day cannot be before the first.",
  apply: "Apply",
  cancel: "Cancel",
  columns: "Columns",
  default_columns: "Default columns",
  periods: {
    "7d": "Last 7 days",
    "30d": "Last 30 days",
    "90d": "Last 90 days",
    "365d": "Last 12 months",
  } as Record<string, string>,
};
