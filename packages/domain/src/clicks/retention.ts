/** Longer than any campaign's `cookie_duration`. Clicks stay up to a month longer, until their partition is dropped. */
export const CLICKS_RETENTION_DAYS = 400;
