import type { Database } from "@findersfee/database/connect";
import { type ClaimedMail, claimMail, postponeMail, settleMail } from "@findersfee/database/mails";
import { type ComposedMail, composeMail } from "@findersfee/domain/mails/compose";
import { pauseAfter } from "@findersfee/domain/mails/retry-schedule";
import { unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import type { SecretsKey } from "@findersfee/domain/webhooks/secrets";
import type { Logger } from "pino";
import { isRefusal, type Mail, type SendMail } from "../mail.ts";

export interface MailParts {
  database: Database;
  log: Logger;
  sendMail: SendMail;
  secrets_key: SecretsKey;
  /** The api's address, for links; null: mails go without. */
  public_url: string | null;
}

/** Connections to the mail server at once. */
const SENDERS = 5;
/** Far longer than a mail takes to be sent or refused: what is claimed longer is of a worker that died. */
const LEASE_SECONDS = 10 * 60;

/**
 * Sends the mails that are due, each of which some worker has to itself meanwhile, until there are none, or the
 * mail server does not answer: then it is asked again when the job runs next.
 */
export async function sendDueMails(parts: MailParts, signal: AbortSignal): Promise<void> {
  const server = new AbortController();
  const over = AbortSignal.any([signal, server.signal]);
  const work = async () => {
    while (!over.aborted) {
      const mail = await claimMail(parts.database, { lease_seconds: LEASE_SECONDS });
      if (mail === null) return;
      if (!(await sendClaimed(parts, mail))) server.abort();
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, work));
}

/** Sends a mail, and writes down what became of it. False: the mail server does not answer. */
async function sendClaimed(parts: MailParts, mail: ClaimedMail): Promise<boolean> {
  const facts = { organization_id: mail.organization_id, mail_id: mail.id, kind: mail.kind };
  try {
    const composed = await composeMail(
      { sql: parts.database, key: unsubscribeKey(parts.secrets_key), public_url: parts.public_url },
      mail,
    );
    if ("dropped" in composed) {
      await settleMail(parts.database, mail, { state: "dropped", reason: composed.dropped });
      return true;
    }
    await parts.sendMail(asMail(mail, composed));
  } catch (error) {
    await noteFailure(parts, mail, error);
    return isRefusal(error);
  }
  const is_ours = await settleMail(parts.database, mail, { state: "sent", reason: null });
  if (is_ours) parts.log.info(facts, "sent a mail");
  else parts.log.warn(facts, "sent a mail after its lease had ended: it may be sent again");
  return true;
}

async function noteFailure({ database, log }: MailParts, mail: ClaimedMail, error: unknown): Promise<void> {
  const { organization_id, id, kind, attempts } = mail;
  const reason = String(error).slice(0, 500);
  const seconds = pauseAfter(attempts);
  const facts = { organization_id, mail_id: id, kind, attempts, reason };
  if (seconds === null) {
    await settleMail(database, mail, { state: "given_up", reason });
    log.error(facts, "a mail could not be sent, and is given up");
  } else {
    await postponeMail(database, mail, { seconds, reason });
    log.warn({ ...facts, again_in_seconds: seconds }, "a mail could not be sent");
  }
}

function asMail({ id }: ClaimedMail, { to, subject, text, html, unsubscribe_url }: ComposedMail): Mail {
  return {
    id,
    to: [to],
    subject,
    text,
    html,
    headers: {
      // No answering machine is to answer (RFC 3834).
      "Auto-Submitted": "auto-generated",
      ...unsubscribeHeaders(unsubscribe_url),
    },
  };
}

/** For the button of mail programs: one click, where the address is one that they may use (RFC 8058, 3.1). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (url === null) return {};
  const one_click = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  return { "List-Unsubscribe": `<${url}>`, ...(url.startsWith("https:") ? one_click : {}) };
}
