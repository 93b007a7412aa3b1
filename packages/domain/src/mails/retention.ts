/** Retention of a mail after it was sent or dropped. */
export const MAILS_RETENTION_DAYS = 90;
