import { createTransport } from "nodemailer";
import type { Logger } from "pino";

export interface MailConfig {
  /** `smtps://user:password@mail.example.com`; null: mail is logged instead of sent. */
  smtp_url: string | null;
  from: string;
}

export interface Mail {
  to: string[];
  subject: string;
  text: string;
}

/** Rejects when the server did not take the mail: the job that sends it is then done again. */
export type SendMail = (mail: Mail) => Promise<void>;

const TIMEOUT_MILLISECONDS = 20_000;

export function createSendMail({ smtp_url, from }: MailConfig, log: Logger): SendMail {
  if (smtp_url === null) {
    return async ({ to, subject, text }) => {
      log.warn({ to, subject, text }, "there is no mail server (SMTP_URL): this mail is not sent");
    };
  }
  const transport = createTransport({
    url: smtp_url,
    connectionTimeout: TIMEOUT_MILLISECONDS,
    greetingTimeout: TIMEOUT_MILLISECONDS,
    socketTimeout: TIMEOUT_MILLISECONDS,
  });
  return async (mail) => {
    await transport.sendMail({ from, ...mail });
  };
}
