/** The zone and language in which times are shown. */
export interface Clock {
  time_zone: string;
  locale: string;
}

export const BROWSER_CLOCK: Clock = {
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: "en-GB",
};
