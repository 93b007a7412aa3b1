import { type Database, type Transaction, transaction } from "@findersfee/database/connect";
import { isDeadlock, isOutage } from "@findersfee/database/errors";
import { findOrganization } from "@findersfee/database/organizations";
import type { MessageKey } from "@findersfee/database/processor-messages";
import {
  type DueMessage,
  dueMessage,
  dueMessages,
  failMessage,
  type SettledMessage,
  settleMessages,
  tryLockPayments,
} from "@findersfee/database/processor-work";
import { findConnectedAccounts } from "@findersfee/database/processors";
import { linkToldPromoCode } from "@findersfee/database/promo-codes";
import { addJob } from "@findersfee/database/queue";
import { reattributePromoCodes } from "../attribution/reattribute-customers.ts";
import { recordFacts } from "../attribution/record-facts.ts";
import { LOOK_UP } from "../events/wake.ts";
import { parseMessage, reasonOf } from "./parse-message.ts";
import type { ParsedMessage } from "./parsed-message.ts";
import { isPromotionCode, readPromotionCode } from "./stripe/promotion-code.ts";

/** Messages that are worked off in one transaction. */
const BATCH = 128;
/** After each failed attempt; then the message is parked. */
const AGAIN_SECONDS = [5, 60, 600, 3_600, 3_600, 3_600, 3_600];

export interface WorkedOff {
  /** False: another worker has the organization's payments. */
  locked: boolean;
  done: number;
  skipped: number;
  parked: number;
  failed: number;
  /** Whether there may be more. */
  full: boolean;
}

/**
 * Works off some of an organization's due messages: what they say, what comes of it, and that they are done
 * are one transaction, under the lock of the organization's payments. When that fails, each message is done
 * again by itself, so that only those that fail alone are put off, and in the end parked.
 *
 * Throws when the database is away: no message is to blame for that.
 */
export async function workOffMessages(database: Database, organizationId: string): Promise<WorkedOff> {
  const taken: MessageKey[] = [];
  try {
    return await transaction(database, async (sql) => {
      if (!(await tryLockPayments(sql, organizationId))) return { ...NOTHING, locked: false };
      const messages = await dueMessages(sql, organizationId, BATCH);
      taken.push(...messages.map(({ processor, id }) => ({ processor, id })));
      const settled = await work(sql, organizationId, messages);
      return { ...countOf(settled), full: messages.length === BATCH };
    });
  } catch (error) {
    if (!isOfMessages(error) || taken.length === 0) throw error;
    return await workOffEach(database, organizationId, taken);
  }
}

const NOTHING: WorkedOff = { locked: true, done: 0, skipped: 0, parked: 0, failed: 0, full: false };

function countOf(settled: readonly SettledMessage[]): WorkedOff {
  const count = { ...NOTHING };
  for (const { state } of settled) count[state]++;
  return count;
}

/** Whether it may be a message's fault, and another attempt at once would fail again. */
function isOfMessages(error: unknown): boolean {
  return !isOutage(error);
}

async function workOffEach(
  database: Database,
  organizationId: string,
  messages: MessageKey[],
): Promise<WorkedOff> {
  // Whoever would take the organization meanwhile finds fewer of them due, and each only once.
  const total = { ...NOTHING, full: messages.length === BATCH };
  for (const key of messages) {
    const { done, skipped, parked, failed } = await workOffAlone(database, organizationId, key);
    total.done += done;
    total.skipped += skipped;
    total.parked += parked;
    total.failed += failed;
  }
  return total;
}

async function workOffAlone(database: Database, organizationId: string, key: MessageKey): Promise<WorkedOff> {
  let attempts = 0;
  try {
    return await transaction(database, async (sql) => {
      if (!(await tryLockPayments(sql, organizationId))) return NOTHING;
      const message = await dueMessage(sql, organizationId, key);
      if (message === null) return NOTHING;
      attempts = message.attempts;
      return countOf(await work(sql, organizationId, [message]));
    });
  } catch (error) {
    // Postgres ended it for the sake of another transaction: it stays due.
    if (isDeadlock(error)) return NOTHING;
    if (!isOfMessages(error)) throw error;
    const again_seconds = AGAIN_SECONDS[attempts] ?? null;
    await failMessage(database, organizationId, { ...key, reason: reasonOf(error), again_seconds });
    return again_seconds === null ? { ...NOTHING, parked: 1 } : { ...NOTHING, failed: 1 };
  }
}

/** Does what the messages say; returns what became of each. */
async function work(
  sql: Transaction,
  organizationId: string,
  messages: readonly DueMessage[],
): Promise<SettledMessage[]> {
  if (messages.length === 0) return [];
  const organization = await findOrganization(sql, organizationId);
  if (organization === null) throw new Error(`there is no organization ${organizationId}`);
  const belongs = await findAccounts(sql, organizationId, messages);
  const read = messages.map((message) => ({
    message,
    parsed: belongs(message) ? parseMessage(message) : otherAccount(message),
  }));
  const facts = read.flatMap(({ message, parsed }) =>
    parsed.outcome === "facts"
      ? parsed.facts.map((fact) => ({ processor: message.processor, message_id: message.id, fact }))
      : [],
  );
  // Whose a code is must be known before it is asked for.
  const linked: string[] = [];
  for (const { message, parsed } of read) {
    if (parsed.outcome === "facts") {
      linked.push(...(await linkPromotionCode(sql, organizationId, message)));
    }
  }
  const { lookups } = await recordFacts(sql, organization, facts);
  if (lookups > 0) await addJob(sql, LOOK_UP, { key: LOOK_UP, queue: LOOK_UP });
  await reattributePromoCodes(sql, organization, linked);
  const settled = read.map(({ message, parsed }) => settledAs(message, parsed));
  await settleMessages(sql, organizationId, settled);
  return settled;
}

/**
 * Returns whether a message belongs to the organization itself, or to a connected account that its connection names.
 * The list is read here, not at intake: a rerun follows the list of its day.
 */
async function findAccounts(
  sql: Transaction,
  organizationId: string,
  messages: readonly DueMessage[],
): Promise<(message: DueMessage) => boolean> {
  const is_connect = messages.some(({ account }) => account !== null);
  const accounts = new Set(is_connect ? await findConnectedAccounts(sql, organizationId) : []);
  return ({ account }) => account === null || accounts.has(account);
}

function otherAccount({ account }: DueMessage): ParsedMessage {
  const reason = `connected_account: The event belongs to the connected account ${account}, which is not among the connection's connected_accounts.`;
  return { outcome: "skipped", reason };
}

function settledAs({ processor, id }: MessageKey, parsed: ParsedMessage): SettledMessage {
  switch (parsed.outcome) {
    case "facts":
      return { processor, id, state: "done", reason: null };
    case "skipped":
      return { processor, id, state: "skipped", reason: parsed.reason };
    case "unsupported":
      return { processor, id, state: "parked", reason: parsed.reason };
  }
}

/** A promotion code that was made at Stripe by hand may be an affiliate's. Returns the id of one that is since now. */
async function linkPromotionCode(
  sql: Transaction,
  organizationId: string,
  { processor, type, body }: DueMessage,
): Promise<string[]> {
  if (processor !== "stripe" || !isPromotionCode(type)) return [];
  const told = readPromotionCode(JSON.parse(body));
  if (told === null || !told.active || told.coupon_id === null) return [];
  const { external_id, code, coupon_id } = told;
  const is_linked = await linkToldPromoCode(sql, organizationId, { external_id, code, coupon: coupon_id });
  return is_linked ? [external_id] : [];
}
