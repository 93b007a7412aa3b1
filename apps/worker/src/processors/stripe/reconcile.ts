import { transaction } from "@findersfee/database/postgres/connect";
import { insertMessages, type NewMessage } from "@findersfee/database/processors/messages";
import { findProcessor, type ProcessorRow } from "@findersfee/database/processors/processors";
import {
  advanceReading,
  beginReading,
  endReading,
  endReadingRequest,
  failReading,
  findReadingRequest,
  type Reading,
} from "@findersfee/database/processors/reconciliation";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { openApiKey } from "@findersfee/domain/processors/connections/secrets";
import { readStripeEvent } from "@findersfee/domain/processors/intake/message";
import { stripe_event_types } from "@findersfee/domain/processors/stripe/event-types";
import type { Stripe } from "stripe";
import { z } from "zod";
import { pause } from "../../work/pause.ts";
import { type StripeDependencies, stripeClient, stripeFailure } from "./client.ts";
import { eachStripeAccount } from "./each-account.ts";

/** How far back the nightly reading goes: a processor that could not reach us has tried again for as long. */
export const RECONCILE_DAYS = 3;

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** An interrupted reading is continued within this time; later, a new one begins with the newest event. */
const RESUME_MILLISECONDS = 60 * 60 * 1000;
const PAGE = 100;
/** A million events. */
const MAX_PAGES = 10_000;
/** Stripe allows 25 requests a second in test mode, which others want to make, too. */
const APART_MILLISECONDS = 50;
const PATIENCE_MILLISECONDS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

export interface Reconciled {
  organization_id: string;
  /** Events that were looked at, and those that had never arrived. */
  read: number;
  stored: number;
  /** Whether an interrupted reading was continued. */
  continued: boolean;
  /** False: it was aborted; the next reading continues there. */
  finished: boolean;
  /** Why it could not be read. */
  error: string | null;
}

/** Imports missed events of the last days, for every organization with a Stripe key. */
export async function reconcileAll(
  dependencies: StripeDependencies,
  { days, signal }: { days: number; signal: AbortSignal },
): Promise<Reconciled[]> {
  const all: Reconciled[] = [];
  await eachStripeAccount(dependencies.database, signal, async (row) => {
    const reconciled = await reconcile(dependencies, { row, days, signal });
    logReconciled(dependencies, reconciled);
    all.push(reconciled);
  });
  return all;
}

function logReconciled({ log }: StripeDependencies, { organization_id, read, stored, error }: Reconciled) {
  if (error === null) log.info({ organization_id, read, stored }, "read Stripe's events");
  else log.error({ organization_id, reason: error }, "Stripe's events were not read");
}

const payloadSchema = z.object({ organization_id: z.uuid() });

/**
 * Imports missed events of the organization that a job names, up to the time of the request.
 *
 * @throws when it was aborted, so that the job runs again
 */
export async function reconcileRequested(
  dependencies: StripeDependencies,
  { payload, signal }: { payload: unknown; signal: AbortSignal },
): Promise<void> {
  const { database } = dependencies;
  const key = { organization_id: payloadSchema.parse(payload).organization_id, name: "stripe" as const };
  const requested_at = await findReadingRequest(database, key);
  const row = await findProcessor(database, key.organization_id, key.name);
  if (requested_at === null || row === null) return;
  let reconciled = await reconcile(dependencies, { row, days: RECONCILE_DAYS, signal });
  // The one that it continued began before the request.
  if (reconciled.continued && reconciled.finished) {
    reconciled = await reconcile(dependencies, { row, days: RECONCILE_DAYS, signal });
  }
  logReconciled(dependencies, reconciled);
  if (!reconciled.finished && reconciled.error === null)
    throw new Error("The reconciliation was interrupted.");
  await endReadingRequest(database, key, requested_at);
}

/**
 * Reads the events of the last days from the newest one back, and stores those that never arrived; they are
 * worked off like any other. A page and how far the reading is are one transaction.
 */
export async function reconcile(
  dependencies: StripeDependencies,
  range: { row: ProcessorRow; days: number; signal: AbortSignal },
): Promise<Reconciled> {
  const result = await readEvents(dependencies, range);
  if (result.error !== null) await failReading(dependencies.database, range.row, result.error);
  return result;
}

async function readEvents(
  { database, secrets_key, stripe_api_url }: StripeDependencies,
  { row, days, signal }: { row: ProcessorRow; days: number; signal: AbortSignal },
): Promise<Reconciled> {
  const { organization_id, livemode } = row;
  const result: Reconciled = {
    organization_id,
    read: 0,
    stored: 0,
    continued: false,
    finished: false,
    error: null,
  };
  const api_key = openApiKey(secrets_key, row);
  if (api_key === null) return { ...result, error: "The connection has no API key." };
  const stripe = await stripeClient(api_key, { api_url: stripe_api_url });
  const now = new Date();
  const reading = await beginReading(database, row, {
    now,
    since: new Date(now.getTime() - days * DAY_MILLISECONDS),
    not_before: new Date(now.getTime() - RESUME_MILLISECONDS),
  });
  if (reading === null) return { ...result, error: "The organization is no longer connected to Stripe." };
  result.continued = reading.after !== null;
  for (let page = 0; page < MAX_PAGES && !signal.aborted; page++) {
    const events = await readPage(stripe, { reading, signal });
    if (typeof events === "string") return { ...result, error: events };
    const after = events.data.at(-1)?.id ?? reading.after;
    const messages = messagesOf(events.data, livemode);
    const { started_at } = reading;
    result.stored += await transaction(database, async (sql) => {
      await advanceReading(sql, row, { started_at, after });
      if (messages.length === 0) return 0;
      const stored = await insertMessages(sql, organization_id, { source: "reconciliation", messages });
      if (stored > 0) await notifyWorkers(sql, "inbound_webhooks", [organization_id]);
      return stored;
    });
    result.read += events.data.length;
    reading.after = after;
    if (!events.has_more || events.data.length === 0) {
      await endReading(database, row, { ...reading, events: result.stored });
      return { ...result, finished: true };
    }
    await pause(APART_MILLISECONDS, signal);
  }
  return result;
}

/** Only the supported types: an account has many others, to which webhooks are not subscribed either. */
function messagesOf(events: readonly Stripe.Event[], livemode: boolean): NewMessage[] {
  const now = new Date();
  return events
    .filter(({ type }) => stripe_event_types.includes(type))
    .map((event) => readStripeEvent(JSON.stringify(event), { livemode, now }));
}

/** A page of events, or why there is none. Temporary failures are tried again for a minute. */
async function readPage(
  stripe: Stripe,
  { reading, signal }: { reading: Reading; signal: AbortSignal },
): Promise<Stripe.ApiList<Stripe.Event> | string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await stripe.events.list({
        limit: PAGE,
        created: { gte: Math.floor(reading.since.getTime() / 1000) },
        ...(reading.after === null ? {} : { starting_after: reading.after }),
      });
    } catch (error) {
      const failure = stripeFailure(error);
      if (failure === null) throw error;
      const patience = PATIENCE_MILLISECONDS[attempt];
      if (failure.kind === "refused" || patience === undefined || signal.aborted) return failure.message;
      await pause(patience, signal);
    }
  }
}
