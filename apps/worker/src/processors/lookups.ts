import { type LookupRow, postponeLookup, readDueLookups } from "@findersfee/database/processors/lookups";
import { findProcessor } from "@findersfee/database/processors/processors";
import { openApiKey } from "@findersfee/domain/processors/connections/secrets";
import { storeLookupAnswer } from "@findersfee/domain/processors/lookups/store-answer";
import { RETRY_DELAYS, retryDelay } from "@findersfee/domain/work/retry-delays";
import type { Stripe } from "stripe";
import type { Consumer, Turn, TurnResult } from "../work/consumer.ts";
import { pause } from "../work/pause.ts";
import { type StripeDependencies, stripeClient, stripeFailure } from "./stripe/client.ts";
import { fetchLookup, TooLarge } from "./stripe/fetch-lookup.ts";

const AT_ONCE = 4;
const SEARCH_MILLISECONDS = 5_000;
const BATCH = 10;
/** A lookup has a few requests of 20 s at most each, and ends after this time between two of them. */
const MAX_SECONDS = 60;
/** Between two lookups: Stripe allows 25 requests a second in test mode, which others want to make, too. */
const APART_MILLISECONDS = 50;
/** While Stripe is unavailable, limits requests or refuses the key, the next lookup would fail, too. */
const STOPPED_MILLISECONDS = 60_000;

export interface LookupDependencies extends StripeDependencies {
  /** An organization has an answer to process, as an inbound webhook. */
  offerInboundWebhooks: (organization_id: string) => void;
}

/** Fetches the data from Stripe's API that payment facts wait for. */
export function lookups(dependencies: LookupDependencies): Consumer {
  const { database, secrets_key, stripe_api_url, offerInboundWebhooks } = dependencies;
  return {
    kind: "lookups",
    organizations_at_once: AT_ONCE,
    search_milliseconds: SEARCH_MILLISECONDS,
    async run(turn) {
      const { organization_id, owner } = turn;
      const row = await findProcessor(database, organization_id, "stripe");
      const api_key = row === null ? null : openApiKey(secrets_key, row);
      if (api_key === null) return { next: "idle" };
      const due = await readDueLookups(database, organization_id, { owner, limit: BATCH });
      if (due.length === 0) return { next: "idle" };
      const stripe = await stripeClient(api_key, { api_url: stripe_api_url });
      const result = await answerBatch(dependencies, { turn, stripe, due });
      if ((result.completed ?? 0) > 0) offerInboundWebhooks(organization_id);
      return result;
    },
  };
}

interface Batch {
  turn: Turn;
  stripe: Stripe;
}

async function answerBatch(
  dependencies: StripeDependencies,
  { due, ...batch }: Batch & { due: readonly LookupRow[] },
): Promise<TurnResult> {
  const { signal } = batch.turn;
  const answered = new Set<string>();
  let failed = 0;
  for (const lookup of due) {
    if (signal.aborted) break;
    // The answer to one lookup of an object completes all of them.
    if (answered.has(lookup.object_id)) continue;
    const outcome = await answerOne(dependencies, { ...batch, lookup });
    if (outcome === "answered") answered.add(lookup.object_id);
    else failed += 1;
    if (outcome === "stop") {
      return {
        completed: answered.size,
        failed,
        next: { milliseconds: STOPPED_MILLISECONDS, of: "organization" },
      };
    }
    await pause(APART_MILLISECONDS, signal);
  }
  return { completed: answered.size, failed, next: "more" };
}

/** `stop`: the other lookups of the organization would fail, too. */
async function answerOne(
  { database, log }: StripeDependencies,
  { turn, stripe, lookup }: Batch & { lookup: LookupRow },
): Promise<"answered" | "failed" | "stop"> {
  const { organization_id, owner, signal } = turn;
  const { object_id, account, failures } = lookup;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(MAX_SECONDS * 1000)]);
  try {
    const answer = await fetchLookup({ stripe, account, signal: deadline }, object_id);
    await storeLookupAnswer(database, organization_id, { object_id, account, answer, owner });
    return "answered";
  } catch (error) {
    if (signal.aborted) return "stop";
    const failure = failureOf(error, deadline);
    if (failure === null) throw error;
    const { message: reason, is_final } = failure;
    log.warn({ organization_id, object_id, reason }, "failed to fetch an object of Stripe");
    const seconds = is_final ? null : retryDelay(RETRY_DELAYS.lookups, failures);
    await postponeLookup(database, organization_id, lookup, { owner, seconds, reason });
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
    return { message: `It took more than ${MAX_SECONDS} seconds.`, is_final: false, goes_on: true };
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
