import { type LocalMail, LocalMailbox } from "@findersfee/domain/mails/local-mailbox";
import type { Config } from "../config.ts";
import { printLine } from "../print.ts";
import { isTrial } from "./trial.ts";

/** How a service on one machine, with the embedded database, handles mails. */
export interface OwnMails {
  /** The address of links in mails without PUBLIC_URL; null: not known before the service listens. */
  url: string | null;
  /** Shows mails in the dashboard and in the terminal; undefined: a mail server sends them. */
  mailbox?: LocalMailbox;
}

/** Undefined for a service that others reach, or with a database of its own: nobody may read other people's codes there. */
export function createOwnMails(config: Config): OwnMails | undefined {
  if (!isTrial(config)) return undefined;
  const host = config.HOST.includes(":") ? `[${config.HOST}]` : config.HOST;
  const url = config.PORT === 0 ? null : `http://${host}:${config.PORT}`;
  return config.SMTP_URL === null ? { url, mailbox: new LocalMailbox(printMail) } : { url };
}

/** Prints the parts of a mail that let its reader in: the code in the subject, and the links. */
function printMail({ to, subject, text }: LocalMail): void {
  printLine(`Email to ${to}, not sent: ${subject}`);
  for (const [link] of text.matchAll(/https?:\/\/\S+/g)) printLine(`  ${link}`);
}
