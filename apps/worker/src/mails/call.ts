import type { Database } from "@findersfee/database/connect";
import { addMailJob } from "@findersfee/database/mails";
import type { Logger } from "pino";

/** The job that sends the mails that are due, and the line that such jobs stand in. */
export const SEND_MAILS = "send_mails";
export const MAIL_QUEUE = "mails";

/** Between two looks of one process. Nobody waits for a mail by the second. */
const APART_MILLISECONDS = 1_000;

export interface MailCall {
  /** There may be mails to send. Returns at once and never fails: the job of each minute finds missed mails. */
  call: () => void;
  /** Resolves when nothing of it is under way. */
  stop: () => Promise<void>;
}

/** Adds the job that sends mails when there are some, at most once in a while. */
export function createMailCall(database: Database, log: Logger): MailCall {
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let is_stopped = false;
  const look = () => {
    timer = null;
    looking = addMailJob(database, { task: SEND_MAILS, queue: MAIL_QUEUE }).catch((error: unknown) =>
      log.warn({ err: error }, "mails may have to wait for the next minute"),
    );
  };
  return {
    call: () => {
      if (is_stopped) return;
      timer ??= setTimeout(look, APART_MILLISECONDS).unref();
    },
    stop: async () => {
      is_stopped = true;
      if (timer !== null) clearTimeout(timer);
      await looking;
    },
  };
}
