import { type DueMail, finishMail, postponeMail, readDueMails } from "@findersfee/database/mails/mails";
import type { UnsentCause } from "@findersfee/database/mails/unsent";
import type { Database } from "@findersfee/database/postgres/connect";
import { isTransient } from "@findersfee/database/postgres/errors";
import { type ComposedMail, composeMail } from "@findersfee/domain/mails/compose";
import { type Dropped, NO_MAIL_SERVER } from "@findersfee/domain/mails/dropped";
import { unsubscribeKey } from "@findersfee/domain/mails/unsubscribe-token";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import { RETRY_DELAYS, retryDelay } from "@findersfee/domain/work/retry-delays";
import pLimit from "p-limit";
import type { Logger } from "pino";
import type { Consumer, Turn } from "../work/consumer.ts";
import { mailMessage } from "./message.ts";
import { withinQuota } from "./quota.ts";
import { repeat } from "./repeat.ts";
import { isSmtpRejection, type SendMail } from "./send-mail.ts";

/** Connections to the mail server at once. */
const CONNECTIONS = 5;
const SEARCH_MILLISECONDS = 2_000;
const BATCH = 50;
/** The delay before another attempt at a mail server that does not respond. */
const NO_SERVER_MILLISECONDS = 10_000;

export interface MailDependencies {
  database: Database;
  log: Logger;
  sendMail: SendMail;
  secrets_key: SecretsKey;
  /** The api's address, for links; null: mails go without. A local service knows it once the api listens. */
  publicUrl: () => string | null;
  /** The most mails of an organization in a day (UTC) to people who have not agreed; 0: any number. */
  mails_to_strangers: number;
}

type Outcome = "completed" | "failed" | "dead_lettered" | "no_server" | "skipped";

/**
 * Sends mails. After a transient database error, the call is repeated, which does not count as an attempt. If recording a
 * result fails, the mail is sent again with the same id.
 */
export function mails(dependencies: MailDependencies): Consumer {
  const limit = pLimit(CONNECTIONS);
  return {
    kind: "mails",
    organizations_at_once: CONNECTIONS,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run({ organization_id, owner, signal }) {
      const read = await readDueMails(dependencies.database, organization_id, { owner, limit: BATCH });
      if (read.length === 0) return { next: "idle" };
      const due = await withinQuota(dependencies, read, { organization_id, owner });
      const no_server = new AbortController();
      const turn = { organization_id, owner, signal: AbortSignal.any([signal, no_server.signal]) };
      // biome-ignore lint/plugin/swallowed-failure: the first reason is thrown below, once all have ended
      const sent = await Promise.allSettled(
        due.map((mail) =>
          limit(async () => {
            if (turn.signal.aborted) return "skipped";
            const outcome = await sendDue(dependencies, { mail, turn, signal });
            if (outcome === "no_server") no_server.abort();
            return outcome;
          }),
        ),
      );
      for (const result of sent) if (result.status === "rejected") throw result.reason;
      const count = (wanted: Outcome) =>
        sent.filter((result) => result.status === "fulfilled" && result.value === wanted).length;
      return {
        completed: count("completed"),
        failed: count("failed") + count("no_server"),
        dead_lettered: count("dead_lettered"),
        next: no_server.signal.aborted ? { milliseconds: NO_SERVER_MILLISECONDS, of: "everyone" } : "more",
      };
    },
  };
}

interface Sending {
  mail: DueMail;
  turn: Turn;
  /** Of the turn alone: results are recorded also if the mail server does not answer. */
  signal: AbortSignal;
}

async function sendDue(dependencies: MailDependencies, sending: Sending): Promise<Outcome> {
  const { log, sendMail } = dependencies;
  const { organization_id, id, kind } = sending.mail;
  const composed = await compose(dependencies, sending);
  if (composed === null) return "failed";
  if ("dropped" in composed) {
    await drop(dependencies, sending, composed);
    return "completed";
  }
  if (sending.turn.signal.aborted) return "skipped";
  try {
    if ((await sendMail(mailMessage(sending.mail, composed))) === "no_mail_server") {
      await drop(dependencies, sending, NO_MAIL_SERVER);
      return "completed";
    }
  } catch (error) {
    const outcome = await recordFailure(dependencies, sending, error);
    return isSmtpRejection(error) ? outcome : "no_server";
  }
  const is_recorded = await finish(dependencies, sending, {
    state: "sent",
    reason: null,
    reported: composed.reported,
  });
  const facts = { organization_id, mail_id: id, kind };
  if (is_recorded) log.info(facts, "sent a mail");
  else log.warn(facts, "sent a mail after its shard was lost: it may be sent again");
  return "completed";
}

/** Null: it cannot be composed, which is recorded as a failed attempt of this mail alone. */
async function compose(
  dependencies: MailDependencies,
  sending: Sending,
): Promise<ComposedMail | Dropped | null> {
  const { database, log, secrets_key, publicUrl } = dependencies;
  const composing = {
    sql: database,
    secrets_key,
    key: unsubscribeKey(secrets_key),
    public_url: publicUrl(),
  };
  try {
    return await repeat({ log, signal: sending.signal }, () => composeMail(composing, sending.mail));
  } catch (error) {
    if (isTransient(error)) throw error;
    await recordFailure(dependencies, sending, error);
    return null;
  }
}

async function recordFailure(
  dependencies: MailDependencies,
  sending: Sending,
  error: unknown,
): Promise<"failed" | "dead_lettered"> {
  const { database, log } = dependencies;
  const { mail, turn, signal } = sending;
  const { organization_id, id, kind, failures } = mail;
  const reason = String(error).slice(0, 500);
  const seconds = retryDelay(RETRY_DELAYS.mails, failures);
  const facts = { organization_id, mail_id: id, kind, failures: failures + 1, reason };
  if (seconds === null) {
    await finish(dependencies, sending, { state: "given_up", reason });
    log.error(facts, "failed to send a mail for the last time: it is given up");
    return "dead_lettered";
  }
  await repeat({ log, signal, isRepeatable: () => true }, () =>
    postponeMail(database, mail, { owner: turn.owner, seconds, reason }),
  );
  log.warn({ ...facts, retry_in_seconds: seconds }, "failed to send a mail");
  return "failed";
}

async function drop(
  dependencies: MailDependencies,
  sending: Sending,
  { dropped: reason, unsent_cause }: Dropped,
): Promise<void> {
  await finish(dependencies, sending, { state: "dropped", reason, unsent_cause: unsent_cause ?? null });
  // A mail without a mail server is logged where it is not sent.
  if (unsent_cause !== "no_public_url") return;
  const { organization_id, id: mail_id, kind } = sending.mail;
  dependencies.log.warn({ organization_id, mail_id, kind, reason }, "a mail was dropped");
}

/** A mail without a recorded result is sent again: so the record is repeated after every error. */
async function finish(
  { database, log }: MailDependencies,
  { mail, turn, signal }: Sending,
  end: {
    state: "sent" | "dropped" | "given_up";
    reason: string | null;
    unsent_cause?: UnsentCause | null;
    reported?: readonly string[] | null;
  },
): Promise<boolean> {
  return await repeat({ log, signal, isRepeatable: () => true }, () =>
    finishMail(database, mail, { owner: turn.owner, ...end }),
  );
}
