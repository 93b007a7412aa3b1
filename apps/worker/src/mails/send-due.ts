import type { Database } from "@findersfee/database/connect";
import { isTransient } from "@findersfee/database/errors";
import { type ClaimedMail, claimMail, postponeMail, settleMail } from "@findersfee/database/mails";
import { newId } from "@findersfee/domain/ids";
import { type ComposedMail, composeMail, type Dropped } from "@findersfee/domain/mails/compose";
import { pauseAfter } from "@findersfee/domain/mails/retry-schedule";
import { unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import type { SecretsKey } from "@findersfee/domain/webhooks/secrets";
import type { Logger } from "pino";
import { isRefusal, type Mail, type SendMail } from "../mail.ts";
import { type Repeating, repeat } from "./repeat.ts";

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
/** Far longer than a mail takes to be sent or refused: a mail that is claimed for longer belongs to a dead worker. */
const LEASE_SECONDS = 10 * 60;
/** A mail is not sent in the last part of its lease: another worker could claim it before the mail server accepts it. */
const MARGIN_SECONDS = 60;

/** A mail that this process has until the end of its lease. */
interface HeldMail {
  mail: ClaimedMail;
  repeating: Repeating;
}

/** One worker's part in sending mails; its jobs run one after the other. */
export class MailSender {
  readonly #parts: MailParts;
  /** Claims that ended by an error. They may still have mails, which the next job would wait for. */
  readonly #unfinished: string[] = [];

  constructor(parts: MailParts) {
    this.#parts = parts;
  }

  /**
   * Sends the mails that are due, until there are none or the mail server does not answer; the next job tries the server
   * again. One worker at a time has a mail. A transient error of the database costs no mail an attempt and stops no
   * sender: the call is repeated.
   *
   * @throws the first other error of the database, when all senders have ended
   */
  async sendDue(signal: AbortSignal): Promise<void> {
    const server = new AbortController();
    const over = AbortSignal.any([signal, server.signal]);
    const work = async () => {
      while (!over.aborted) {
        const result = await this.#sendNext(signal);
        if (result === "none") return;
        if (result === "no_server") server.abort();
      }
    };
    const senders = await Promise.allSettled(Array.from({ length: SENDERS }, work));
    for (const sender of senders) if (sender.status === "rejected") throw sender.reason;
  }

  async #sendNext(signal: AbortSignal): Promise<"done" | "none" | "no_server"> {
    const claim_id = this.#unfinished.pop() ?? newId(new Date());
    try {
      const held = await claim(this.#parts, { claim_id, signal });
      if (held === null) return "none";
      return (await sendHeld(this.#parts, held)) ? "done" : "no_server";
    } catch (error) {
      this.#unfinished.push(claim_id);
      throw error;
    }
  }
}

/** Null: no mail is due. */
async function claim(
  { database, log }: MailParts,
  { claim_id, signal }: { claim_id: string; signal: AbortSignal },
): Promise<HeldMail | null> {
  let until = 0;
  const mail = await repeat({ log, signal, until: Number.POSITIVE_INFINITY }, async () => {
    // The lease begins after this at the earliest.
    until = performance.now() + (LEASE_SECONDS - MARGIN_SECONDS) * 1000;
    return await claimMail(database, { claim_id, lease_seconds: LEASE_SECONDS });
  });
  return mail === null ? null : { mail, repeating: { log, signal, until } };
}

/** Sends a mail and records the result. False: the mail server does not answer. */
async function sendHeld(parts: MailParts, held: HeldMail): Promise<boolean> {
  const { mail, repeating } = held;
  const composed = await compose(parts, held);
  if (composed === null) return true;
  if ("dropped" in composed) {
    await settle(parts, held, { state: "dropped", reason: composed.dropped });
    return true;
  }
  if (performance.now() > repeating.until) return true;
  try {
    await parts.sendMail(asMail(mail, composed));
  } catch (error) {
    await recordFailure(parts, held, error);
    return isRefusal(error);
  }
  const is_ours = await settle(parts, held, { state: "sent", reason: null });
  const facts = { organization_id: mail.organization_id, mail_id: mail.id, kind: mail.kind };
  if (is_ours) parts.log.info(facts, "sent a mail");
  else parts.log.warn(facts, "sent a mail after its lease had ended: it may be sent again");
  return true;
}

/** Null: it cannot be composed, which is recorded as a failed attempt of this mail alone. */
async function compose(parts: MailParts, held: HeldMail): Promise<ComposedMail | Dropped | null> {
  const { database, secrets_key, public_url } = parts;
  const composing = { sql: database, key: unsubscribeKey(secrets_key), public_url };
  try {
    return await repeat(held.repeating, () => composeMail(composing, held.mail));
  } catch (error) {
    if (isTransient(error)) throw error;
    await recordFailure(parts, held, error);
    return null;
  }
}

async function recordFailure(parts: MailParts, held: HeldMail, error: unknown): Promise<void> {
  const { database, log } = parts;
  const { organization_id, id, kind } = held.mail;
  const attempts = held.mail.attempts + 1;
  const reason = String(error).slice(0, 500);
  const seconds = pauseAfter(attempts);
  const facts = { organization_id, mail_id: id, kind, attempts, reason };
  if (seconds === null) {
    await settle(parts, held, { state: "given_up", reason });
    log.error(facts, "a mail could not be sent, and is given up");
  } else {
    await recordResult(held, () => postponeMail(database, held.mail, { seconds, reason }));
    log.warn({ ...facts, again_in_seconds: seconds }, "a mail could not be sent");
  }
}

async function settle(
  { database }: MailParts,
  held: HeldMail,
  end: Parameters<typeof settleMail>[2],
): Promise<boolean> {
  return await recordResult(held, () => settleMail(database, held.mail, end));
}

/** A mail with a result that is not recorded is sent again: so every error is worth another try. */
async function recordResult<Result>({ repeating }: HeldMail, record: () => Promise<Result>): Promise<Result> {
  return await repeat({ ...repeating, isRepeatable: () => true }, record);
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
