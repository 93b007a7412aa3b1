import type { UnsentCause } from "@findersfee/database/mails/unsent";

/** The mail is no longer wanted, or cannot be sent by this service. */
export interface Dropped {
  dropped: string;
  /** The setting of the operator that such mails need; absent: the mail is no longer wanted. */
  unsent_cause?: UnsentCause;
}

export const NO_PUBLIC_URL: Dropped = {
  dropped: "PUBLIC_URL is not set, so the mail's link cannot be created",
  unsent_cause: "no_public_url",
};

export const NO_MAIL_SERVER: Dropped = {
  dropped: "no mail server is set (SMTP_URL), so the mail was not sent",
  unsent_cause: "no_mail_server",
};
