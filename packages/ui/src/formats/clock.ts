/** The zone and language in which times are shown. */
export interface Clock {
  time_zone: string;
  locale: string;
}

/** Days come before months in both languages. */
export const DATE_LOCALES = { en: "en-GB", de: "de-DE" };

export const BROWSER_CLOCK: Clock = {
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: DATE_LOCALES.en,
};
