import { createClient, type Findersfee, FindersfeeError } from "@findersfee/sdk";
import { UsageError } from "../options.ts";
import type { Position } from "./position.ts";

/** An event in the feed; a newer service may send a type unknown here. */
export interface FeedEvent {
  id: string;
  type: string;
  created_at: string;
  data: unknown;
}

export interface FeedPage {
  events: readonly FeedEvent[];
  has_more: boolean;
}

/** The service is temporarily unreachable; the request can be repeated. */
export class ServiceAwayError extends Error {
  override readonly name = "ServiceAwayError";
}

/** The service does not know this event, or no longer keeps it. */
export class UnknownEventError extends Error {
  override readonly name = "UnknownEventError";
}

const MAX_EVENTS = 100;

const AWAY: readonly FindersfeeError["code"][] = [
  "network_error",
  "timeout",
  "rate_limited",
  "unavailable",
  "internal_error",
];

/** @throws UsageError for a value that cannot be a secret key */
function openClient(base_url: string, api_key: string): Findersfee {
  try {
    // Failures are printed here, so the caller does the waiting.
    return createClient({ apiKey: api_key, baseUrl: base_url, maxRetries: 0 });
  } catch (error) {
    if (!(error instanceof FindersfeeError)) throw error;
    throw new UsageError(error.message.replace("apiKey:", "--api-key (FINDERSFEE_API_KEY):"));
  }
}

/** Reads the events of the key's organization over the API only. */
export class Feed {
  readonly #client: Findersfee;
  readonly #base_url: string;
  readonly #signal: AbortSignal;

  constructor({ base_url, api_key }: { base_url: string; api_key: string }, signal: AbortSignal) {
    this.#base_url = base_url;
    this.#signal = signal;
    this.#client = openClient(base_url, api_key);
  }

  /** Events after a position, oldest first. */
  async read(position: Position): Promise<FeedPage> {
    const { events } = this.#client;
    const { data, pagination } = await this.#ask((options) =>
      events.list({ ...position, limit: MAX_EVENTS }, options),
    );
    return { events: data, has_more: pagination.has_more };
  }

  /** The current end of the feed. */
  async end(): Promise<Position> {
    const { events } = this.#client;
    const { data } = await this.#ask((options) => events.list({ order: "newest_first", limit: 1 }, options));
    const [newest] = data;
    return newest === undefined ? {} : { after: newest.id };
  }

  /** One event. Errors: `UnknownEventError`. */
  async get(id: string): Promise<FeedEvent> {
    const { events } = this.#client;
    return await this.#ask((options) => events.get({ id }, options));
  }

  async #ask<ForwardResponse>(
    ask: (options: { signal: AbortSignal }) => PromiseLike<ForwardResponse>,
  ): Promise<ForwardResponse> {
    try {
      return await ask({ signal: this.#signal });
    } catch (error) {
      throw error instanceof FindersfeeError ? this.#describe(error) : error;
    }
  }

  /** Rewrites errors with the command line's option names. */
  #describe(error: FindersfeeError): Error {
    const message = error.message.replace("Check baseUrl:", "Check --base-url (FINDERSFEE_URL):");
    if (AWAY.includes(error.code)) return new ServiceAwayError(message);
    switch (error.code) {
      case "not_found":
        return new UnknownEventError(`${error.message} An event's id is the webhook-id of its deliveries.`);
      case "unauthorized":
        return new Error(
          `The service at ${this.#base_url} does not accept the API key. Check that --api-key (FINDERSFEE_API_KEY) belongs to this service and is neither expired nor revoked.`,
        );
      case "invalid_response":
      case "proxy_refused":
        return new Error(message);
      default:
        return error;
    }
  }
}
