/** Longer than any campaign's `cookie_duration`, and at most a month more until their partition is dropped. */
export const CLICKS_KEPT_DAYS = 400;
