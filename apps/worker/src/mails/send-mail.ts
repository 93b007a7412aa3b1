import { createTransport } from "nodemailer";
import type { Logger } from "pino";

export interface MailConfig {
  /** `smtps://user:password@mail.example.com`; null: mail is logged instead of sent. */
  smtp_url: string | null;
  from: string;
  /** Without a mail server, whether the log gets the texts of mails, which have links and codes that let their reader in. */
  logs_texts?: boolean;
}

export interface Mail {
  to: string[];
  subject: string;
  text: string;
  html?: string;
  /** The same each time that this mail is sent, so that its receiver recognizes a duplicate. */
  id?: string;
  headers?: Record<string, string>;
}

/** Rejects when the server did not accept the mail. */
export type SendMail = (mail: Mail) => Promise<void>;

const NOT_SENT =
  "no mail server is configured: this mail is not sent. Set SMTP_URL and MAIL_FROM to send mails, with their links and codes";

const TIMEOUT_MILLISECONDS = 20_000;

export function createSendMail({ smtp_url, from, logs_texts = false }: MailConfig, log: Logger): SendMail {
  if (smtp_url === null) {
    return async ({ id, to, subject, text }) => {
      // A subject can have a code, too.
      const facts = logs_texts ? { to, subject, text } : { to, mail_id: id };
      log.warn(facts, NOT_SENT);
    };
  }
  const transport = createTransport({
    url: smtp_url,
    connectionTimeout: TIMEOUT_MILLISECONDS,
    greetingTimeout: TIMEOUT_MILLISECONDS,
    socketTimeout: TIMEOUT_MILLISECONDS,
  });
  const domain = domainOf(from);
  return async ({ id, to, ...mail }) => {
    await transport.sendMail({
      from,
      ...mail,
      // Objects are used as addresses unchanged; the library would parse texts.
      to: to.map((address) => ({ name: "", address })),
      ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
      // No part of a mail may name a file or URL to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
}

/** Whether the server rejected this mail, and may accept another: its sender, its recipient or its content. */
export function isSmtpRejection(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "EENVELOPE" || error.code === "EMESSAGE";
}

/** Of an address, with or without a name before it. */
function domainOf(from: string): string {
  return /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? "localhost";
}
