/** Retention of a mail after it was sent or dropped. */
export const MAILS_KEPT_DAYS = 90;
