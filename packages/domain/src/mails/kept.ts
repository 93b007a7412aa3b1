/** For so long a mail is kept after it was sent, or was not to be any more. */
export const MAILS_KEPT_DAYS = 90;
