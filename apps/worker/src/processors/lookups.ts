import { setTimeout as delay } from "node:timers/promises";
import {
  claimLookups,
  failLookup,
  type LookupRow,
  releaseLookups,
  reopenLookups,
} from "@findersfee/database/lookups";
import type { ProcessorRow } from "@findersfee/database/processors";
import { openApiKey } from "@findersfee/domain/processors/connections/secrets";
import { lookupAgainSeconds } from "@findersfee/domain/processors/lookups/due";
import { storeLookupAnswer } from "@findersfee/domain/processors/lookups/store-answer";
import type { Stripe } from "stripe";
import { eachStripeAccount } from "./each-stripe-account.ts";
import type { StripeParts } from "./promo-codes.ts";
import { stripeClient, stripeFailure } from "./stripe-client.ts";
import { fetchLookup, TooLarge } from "./stripe-lookup.ts";

const BATCH = 10;
/** Of one organization in one run, so that none waits for another's backlog: the next run comes within a minute. */
const ORGANIZATION_SECONDS = 60;
/** A lookup has a few requests of 20 s at most each, and ends after this time between two of them. */
const MOST_SECONDS = 60;
/** Longer than a batch takes. */
const LEASE_SECONDS = 900;
/** Between two lookups: Stripe allows 25 requests a second in test mode, which others want to make, too. */
const APART_MILLISECONDS = 50;
/** The nightly run asks again about refunds and disputes that found no payment for so long. */
const REOPENED_DAYS = 7;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Fetches the data that payment events wait for, for all organizations with an API key of Stripe. */
export async function lookUp(parts: StripeParts, signal: AbortSignal): Promise<void> {
  await eachStripeAccount(parts.database, signal, (row) => lookUpOrganization(parts, { row, signal }));
}

/** The same, and repeats lookups that failed for good, and answered ones that found no payment. */
export async function repairLookups(parts: StripeParts, signal: AbortSignal): Promise<void> {
  await eachStripeAccount(parts.database, signal, async (row) => {
    const wanted_after = new Date(Date.now() - REOPENED_DAYS * DAY_MILLISECONDS);
    await reopenLookups(parts.database, row.organization_id, { wanted_after });
    await lookUpOrganization(parts, { row, signal });
  });
}

async function lookUpOrganization(
  parts: StripeParts,
  { row, signal }: { row: ProcessorRow; signal: AbortSignal },
): Promise<void> {
  const { database, secrets_key, stripe_api_url } = parts;
  const { organization_id } = row;
  const ends_at = Date.now() + ORGANIZATION_SECONDS * 1000;
  let stripe: Stripe | null = null;
  while (!signal.aborted && Date.now() < ends_at) {
    const lookups = await claimLookups(database, organization_id, {
      lease_seconds: LEASE_SECONDS,
      limit: BATCH,
    });
    if (lookups.length === 0) return;
    stripe ??= await stripeClient(openApiKey(secrets_key, row) ?? "", { api_url: stripe_api_url });
    const left = await answerBatch(parts, { row, stripe, lookups, signal });
    if (left.length === 0) continue;
    await releaseLookups(database, organization_id, left);
    return;
  }
}

/** Answers lookups one after the other; returns those that are better left for later. */
async function answerBatch(
  parts: StripeParts,
  { lookups, ...call }: { row: ProcessorRow; stripe: Stripe; lookups: LookupRow[]; signal: AbortSignal },
): Promise<LookupRow[]> {
  const answered = new Set<string>();
  for (const [index, lookup] of lookups.entries()) {
    if (call.signal.aborted) return lookups.slice(index);
    // What else waits for the same object has its answer, too.
    if (answered.has(lookup.object_id)) continue;
    const outcome = await answerOne(parts, { lookup, ...call });
    if (outcome === "stop") return lookups.slice(index + 1);
    if (outcome === "answered") answered.add(lookup.object_id);
    await delay(APART_MILLISECONDS, undefined, { signal: call.signal }).catch(() => {});
  }
  return [];
}

/** `stop`: Stripe is unavailable, limits requests or refuses the key, so the next lookup would fail, too. */
async function answerOne(
  { database, log }: StripeParts,
  {
    row,
    stripe,
    lookup,
    signal,
  }: { row: ProcessorRow; stripe: Stripe; lookup: LookupRow; signal: AbortSignal },
): Promise<"answered" | "failed" | "stop"> {
  const { organization_id } = row;
  const { object_id, account } = lookup;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MOST_SECONDS * 1000)]);
  try {
    const answer = await fetchLookup({ stripe, account, signal: deadline }, object_id);
    await storeLookupAnswer(database, organization_id, { object_id, account, answer });
    return "answered";
  } catch (error) {
    if (signal.aborted) {
      await releaseLookups(database, organization_id, [lookup]);
      return "stop";
    }
    const failure = failureOf(error, deadline);
    if (failure === null) throw error;
    log.warn({ organization_id, object_id, reason: failure.message }, "a Stripe object could not be fetched");
    await failLookup(database, organization_id, {
      ...lookup,
      error: failure.message,
      again_seconds: failure.is_final ? null : lookupAgainSeconds(lookup.attempts),
    });
    return failure.goes_on ? "failed" : "stop";
  }
}

interface Failure {
  message: string;
  /** The same request would fail again with any key. */
  is_final: boolean;
  goes_on: boolean;
}

function failureOf(error: unknown, deadline: AbortSignal): Failure | null {
  if (error instanceof TooLarge) return { message: error.message, is_final: true, goes_on: true };
  if (deadline.aborted) {
    return { message: `It took more than ${MOST_SECONDS} seconds.`, is_final: false, goes_on: true };
  }
  const failure = stripeFailure(error);
  if (failure === null) return null;
  const { message } = failure;
  if (failure.kind !== "refused") return { message, is_final: false, goes_on: false };
  return {
    message,
    is_final: failure.status !== 401 && failure.status !== 403,
    goes_on: failure.status !== 401,
  };
}
