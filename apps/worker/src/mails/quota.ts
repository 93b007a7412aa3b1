import { awaitQuota, type DueMail } from "@findersfee/database/mails/mails";
import type { Database } from "@findersfee/database/postgres/connect";
import { countMailsToStrangers } from "@findersfee/database/quotas";
import type { Logger } from "pino";
import type { Turn } from "../work/consumer.ts";

interface Quota {
  database: Database;
  log: Logger;
  /** Of organizations without one of their own; 0: any number. */
  mails_to_strangers: number;
}

/**
 * The mails that the organization's quota of the day lets through: all but those to strangers beyond it, which wait for the next
 * day. The owner of the shard alone sends the organization's mails, so the count is exact, but for mails that were sent while it
 * lost the shard.
 */
export async function withinQuota(
  { database, log, mails_to_strangers }: Quota,
  due: readonly DueMail[],
  { organization_id, owner }: Pick<Turn, "organization_id" | "owner">,
): Promise<readonly DueMail[]> {
  const first = due.find(({ to_stranger }) => to_stranger);
  const limit = first?.mails_to_strangers ?? mails_to_strangers;
  if (first === undefined || limit === 0) return due;
  const today = startOfDay();
  const { count } = await countMailsToStrangers(database, organization_id, { since: today, most: limit });
  if (count >= limit) {
    const until = new Date(today.getTime() + DAY_MILLISECONDS);
    const waiting = await awaitQuota(database, organization_id, { owner, until });
    log.warn(
      { organization_id, limit, waiting },
      "mails to people who have not agreed wait for tomorrow's quota",
    );
    return due.filter(({ to_stranger }) => !to_stranger);
  }
  const sent = new Set(due.filter(({ to_stranger }) => to_stranger).slice(0, limit - count));
  return due.filter((mail) => !mail.to_stranger || sent.has(mail));
}

const DAY_MILLISECONDS = 24 * 60 * 60_000;

/** The start of the UTC day. */
function startOfDay(): Date {
  return new Date(new Date().toISOString().slice(0, 10));
}
