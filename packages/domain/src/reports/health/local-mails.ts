import type { LocalMails } from "@findersfee/contract/reports/health";
import type { Context } from "../../context.ts";
import type { LocalMailbox } from "../../mails/local-mailbox.ts";

/** The organization's last mails, newest first, if the service shows mails instead of sending them. */
export function listLocalMails({ organization }: Context, mailbox: LocalMailbox | null): LocalMails {
  if (mailbox === null) return { is_local: false, mails: [] };
  const mails = mailbox.list(organization.id).map(({ id, to, subject, text, composed_at }) => ({
    id,
    to,
    subject,
    text,
    composed_at: composed_at.toISOString(),
  }));
  return { is_local: true, mails };
}
