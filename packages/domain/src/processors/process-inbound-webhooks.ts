import { insertNotices } from "@findersfee/database/mails/notices";
import { findOrganization } from "@findersfee/database/organizations/organizations";
import { type Database, type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { isDeadlock, isOutage } from "@findersfee/database/postgres/errors";
import { causedBy, inSpan, isTracing, type NewSpan } from "@findersfee/database/postgres/tracer";
import {
  type CompletedMessage,
  completeMessages,
  type DueMessage,
  postponeMessage,
  readDueMessage,
  readDueMessages,
  tryLockPayments,
} from "@findersfee/database/processors/due-messages";
import type { MessageKey } from "@findersfee/database/processors/messages";
import { findConnectedAccounts } from "@findersfee/database/processors/processors";
import { linkReportedPromoCode } from "@findersfee/database/processors/promo-codes";
import { ShardLost, type ShardOwner } from "@findersfee/database/work/shards";
import { reattributePromoCodes } from "../attribution/reattribute-customers.ts";
import { recordFacts } from "../attribution/record-facts.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { RETRY_DELAYS, retryDelay } from "../work/retry-delays.ts";
import { withHashedCards } from "./hash-cards.ts";
import { parseMessage, reasonOf } from "./parse-message.ts";
import type { ParsedMessage } from "./parsed-message.ts";
import { isPromotionCode, readPromotionCode } from "./stripe/promotion-code.ts";

/** Messages that are processed in one transaction. */
const BATCH = 256;

/** Who processes an organization's messages. */
interface Worker {
  owner: ShardOwner;
  /** For the hashes of cards. */
  secrets_key: SecretsKey;
}

export interface ProcessedWebhooks {
  /** False: another transaction has the organization's payments. */
  locked: boolean;
  done: number;
  skipped: number;
  /** Unreadable, or failed too often. */
  dead_lettered: number;
  failed: number;
  /** Lookups that wait for Stripe's answer from now on. */
  lookups: number;
  /** Whether there may be more. */
  full: boolean;
}

const NOTHING: ProcessedWebhooks = {
  locked: true,
  done: 0,
  skipped: 0,
  dead_lettered: 0,
  failed: 0,
  lookups: 0,
  full: false,
};

/**
 * Processes some of an organization's due inbound webhooks in one transaction, under the lock of the
 * organization's payments: payment facts, their outcomes, and the state of the messages. If that fails, it
 * processes the messages one by one, so that it postpones, and finally dead-letters, only messages that fail
 * alone.
 *
 * @throws when the database is unavailable, because no message caused that
 */
export async function processInboundWebhooks(
  database: Database,
  organizationId: string,
  worker: Worker,
): Promise<ProcessedWebhooks> {
  const { owner } = worker;
  const taken: MessageKey[] = [];
  try {
    return await transaction(database, async (sql) => {
      if (!(await tryLockPayments(sql, organizationId))) return { ...NOTHING, locked: false };
      const messages = await readDueMessages(sql, organizationId, { owner, limit: BATCH });
      taken.push(...messages.map(({ processor, id }) => ({ processor, id })));
      const processed = await process(sql, organizationId, { ...worker, messages });
      return { ...processed, full: messages.length === BATCH };
    });
  } catch (error) {
    if (!isOfMessages(error) || taken.length === 0) throw error;
    return await processEach(database, organizationId, { ...worker, messages: taken });
  }
}

/** Whether a message may have caused the error, so that another attempt at once would fail again. */
function isOfMessages(error: unknown): boolean {
  return !isOutage(error) && !(error instanceof ShardLost);
}

async function processEach(
  database: Database,
  organizationId: string,
  { messages, ...worker }: Worker & { messages: readonly MessageKey[] },
): Promise<ProcessedWebhooks> {
  const total = { ...NOTHING, full: messages.length === BATCH };
  for (const key of messages) {
    const { done, skipped, dead_lettered, failed, lookups } = await processAlone(database, organizationId, {
      ...worker,
      key,
    });
    total.done += done;
    total.skipped += skipped;
    total.dead_lettered += dead_lettered;
    total.failed += failed;
    total.lookups += lookups;
  }
  return total;
}

async function processAlone(
  database: Database,
  organizationId: string,
  { key, ...worker }: Worker & { key: MessageKey },
): Promise<ProcessedWebhooks> {
  const { owner } = worker;
  let failures = 0;
  try {
    return await transaction(database, async (sql) => {
      if (!(await tryLockPayments(sql, organizationId))) return NOTHING;
      const message = await readDueMessage(sql, organizationId, key, owner);
      if (message === null) return NOTHING;
      failures = message.failures;
      return await process(sql, organizationId, { ...worker, messages: [message] });
    });
  } catch (error) {
    // Postgres aborted it to resolve a deadlock or conflict: it stays due.
    if (isDeadlock(error)) return NOTHING;
    if (!isOfMessages(error)) throw error;
    const seconds = retryDelay(RETRY_DELAYS.inbound_webhooks, failures);
    await transaction(database, async (sql) => {
      await postponeMessage(sql, organizationId, key, { owner, seconds, reason: reasonOf(error) });
      if (seconds === null) await insertNotices(sql, organizationId, "connections");
    });
    return seconds === null ? { ...NOTHING, dead_lettered: 1 } : { ...NOTHING, failed: 1 };
  }
}

/** Applies the reported facts, and records the outcome of each message, in the trace of the request that brought them. */
async function process(
  sql: Transaction,
  organizationId: string,
  work: Worker & { messages: readonly DueMessage[] },
): Promise<ProcessedWebhooks> {
  const { messages } = work;
  if (messages.length === 0) return NOTHING;
  if (!isTracing()) return await apply(sql, organizationId, work);
  const causes = causedBy(messages.map(({ traceparent }) => traceparent));
  const span: NewSpan = { name: "process inbound webhooks", kind: "consumer", ...causes };
  return await inSpan(span, () => apply(sql, organizationId, work));
}

async function apply(
  sql: Transaction,
  organizationId: string,
  { owner, secrets_key, messages }: Worker & { messages: readonly DueMessage[] },
): Promise<ProcessedWebhooks> {
  const organization = await findOrganization(sql, organizationId);
  if (organization === null) throw new Error(`organization ${organizationId} does not exist`);
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
  // The affiliate of a code must be known before the facts that name the code are processed.
  const linked: string[] = [];
  for (const { message, parsed } of read) {
    if (parsed.outcome === "facts") {
      linked.push(...(await linkPromotionCode(sql, organizationId, message)));
    }
  }
  const has_cards = facts.some(({ fact }) => "card" in fact);
  const hashing = { organization_id: organizationId, secrets_key };
  const recorded = has_cards ? await withHashedCards(sql, hashing, facts) : facts;
  const { lookups } = await recordFacts(sql, organization, recorded);
  if (linked.length > 0) await reattributePromoCodes(sql, organization, linked);
  const completed = read.map(({ message, parsed }) => completedAs(message, parsed));
  await completeMessages(sql, organizationId, { owner, messages: completed });
  const count = { ...NOTHING, lookups };
  for (const { state } of completed) count[state === "parked" ? "dead_lettered" : state]++;
  return count;
}

/**
 * Returns whether a message belongs to the organization itself, or to a connected account of its connection. The list
 * is read here, not at intake, so that a rerun uses the current list.
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
  const reason = `connected_account: The event belongs to the connected account ${account}, which is not among the connection's connected accounts.`;
  return { outcome: "skipped", reason };
}

function completedAs({ processor, id }: MessageKey, parsed: ParsedMessage): CompletedMessage {
  switch (parsed.outcome) {
    case "facts":
      return { processor, id, state: "done", reason: null };
    case "skipped":
      return { processor, id, state: "skipped", reason: parsed.reason };
    case "unsupported":
      return { processor, id, state: "parked", reason: parsed.reason };
  }
}

/**
 * Links a promotion code that was created manually at Stripe if an affiliate has its text. Returns the id of a newly
 * linked one.
 */
async function linkPromotionCode(
  sql: Transaction,
  organizationId: string,
  { processor, type, body }: DueMessage,
): Promise<string[]> {
  if (processor !== "stripe" || !isPromotionCode(type)) return [];
  const found = readPromotionCode(JSON.parse(body));
  if (found === null || !found.active || found.coupon_id === null) return [];
  const { external_id, code, coupon_id } = found;
  const is_linked = await linkReportedPromoCode(sql, organizationId, {
    external_id,
    code,
    coupon: coupon_id,
  });
  return is_linked ? [external_id] : [];
}
