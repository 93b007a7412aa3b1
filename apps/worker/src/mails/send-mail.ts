import type { LocalMailbox } from "@findersfee/domain/mails/local-mailbox";
import { createTransport } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";
import type { Logger } from "pino";

export interface MailConfig {
  /** `smtps://user:password@mail.example.com`; null: mail is not sent. */
  smtp_url: string | null;
  from: string;
  /** Shows the mails if there is no mail server; by default, nothing does. */
  mailbox?: LocalMailbox;
}

export interface Mail {
  to: string[];
  subject: string;
  text: string;
  html?: string;
  /** The same each time that this mail is sent, so that its receiver recognizes a duplicate. */
  id?: string;
  organization_id?: string;
  /** The name of the sender; null or absent: the one in \`from\`. The address stays. */
  sender?: string | null;
  headers?: Record<string, string>;
}

/** Rejects when the server did not accept the mail. */
export type SendMail = (mail: Mail) => Promise<"sent" | "no_mail_server">;

const NOT_SENT =
  "no mail server is configured: this mail is not sent. Set SMTP_URL and MAIL_FROM to send mails, with their links and codes";

const TIMEOUT_MILLISECONDS = 20_000;

export function createSendMail({ smtp_url, from, mailbox }: MailConfig, log: Logger): SendMail {
  if (smtp_url === null) {
    return async ({ id, organization_id, to, subject, text }) => {
      // Logs get neither the text nor the subject: links and codes in them let their reader in.
      if (mailbox === undefined || id === undefined || organization_id === undefined) {
        log.warn({ to, mail_id: id }, NOT_SENT);
      } else {
        mailbox.add({ id, organization_id, to: to.join(", "), subject, text, composed_at: new Date() });
      }
      return "no_mail_server";
    };
  }
  const transport = createTransport({
    url: smtp_url,
    connectionTimeout: TIMEOUT_MILLISECONDS,
    greetingTimeout: TIMEOUT_MILLISECONDS,
    socketTimeout: TIMEOUT_MILLISECONDS,
  });
  const address = addressOf(from);
  const domain = domainOf(from);
  return async ({ id, organization_id: _organization_id, to, sender = null, ...mail }) => {
    await transport.sendMail({
      from: sender === null ? from : { name: sender, address },
      ...mail,
      // Objects are used as addresses unchanged; the library would parse texts.
      to: to.map((address) => ({ name: "", address })),
      ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
      // No part of a mail may name a file or URL to read.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return "sent";
  };
}

/** Whether the server rejected this mail, and may accept another: its sender, its recipient or its content. */
export function isSmtpRejection(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "EENVELOPE" || error.code === "EMESSAGE";
}

/** Without the name before it. */
function addressOf(from: string): string {
  const last = addressparser(from, { flatten: true }).at(-1);
  return last === undefined || last.address === "" ? from : last.address;
}

/** The domain of an address, with or without a name before it. */
function domainOf(from: string): string {
  return /@([a-z0-9.-]+)>?\s*$/i.exec(from)?.[1] ?? "localhost";
}
