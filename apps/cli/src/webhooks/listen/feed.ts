import { createClient, type Findersfee, FindersfeeError } from "@findersfee/sdk";
import { UsageError } from "../../options.ts";
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

/** The service is temporarily unavailable; a retry may succeed. */
export class ServiceUnavailableError extends Error {
  override readonly name = "ServiceUnavailableError";
}

/** The event does not exist, or its retention has ended. */
export class UnknownEventError extends Error {
  override readonly name = "UnknownEventError";
}

const PAGE_SIZE = 100;

const UNAVAILABLE_CODES: readonly FindersfeeError["code"][] = [
  "network_error",
  "timeout",
  "rate_limited",
  "unavailable",
  "internal_error",
];

/** @throws UsageError for a value that cannot be a secret key */
function openClient(base_url: string, api_key: string): Findersfee {
  try {
    // The listener retries instead, because it prints each failure.
    return createClient({ apiKey: api_key, baseUrl: base_url, maxRetries: 0 });
  } catch (error) {
    if (!(error instanceof FindersfeeError)) throw error;
    throw new UsageError(error.message.replace("apiKey:", "--api-key (FINDERSFEE_API_KEY):"));
  }
}

/** Reads the events of the API key's organization over the API. */
export class Feed {
  readonly #client: Findersfee;
  readonly #base_url: string;
  readonly #signal: AbortSignal;

  constructor({ base_url, api_key }: { base_url: string; api_key: string }, signal: AbortSignal) {
    this.#base_url = base_url;
    this.#signal = signal;
    this.#client = openClient(base_url, api_key);
  }

  /** Returns the events after a position, oldest first. */
  async read(position: Position): Promise<FeedPage> {
    const { events } = this.#client;
    const { data, pagination } = await this.#call((options) =>
      events.list({ ...position, limit: PAGE_SIZE }, options),
    );
    return { events: data, has_more: pagination.has_more };
  }

  /** Returns the current end of the feed. */
  async end(): Promise<Position> {
    const { events } = this.#client;
    const { data } = await this.#call((options) => events.list({ order: "newest_first", limit: 1 }, options));
    const [newest] = data;
    return newest === undefined ? {} : { after: newest.id };
  }

  /**
   * Returns an event.
   *
   * @throws UnknownEventError
   */
  async get(id: string): Promise<FeedEvent> {
    const { events } = this.#client;
    return await this.#call((options) => events.get({ id }, options));
  }

  async #call<Result>(call: (options: { signal: AbortSignal }) => PromiseLike<Result>): Promise<Result> {
    try {
      return await call({ signal: this.#signal });
    } catch (error) {
      throw error instanceof FindersfeeError ? this.#describe(error) : error;
    }
  }

  /** Describes an error with the option names of the command line. */
  #describe(error: FindersfeeError): Error {
    const message = error.message.replace("Check baseUrl:", "Check --base-url (FINDERSFEE_URL):");
    if (UNAVAILABLE_CODES.includes(error.code)) return new ServiceUnavailableError(message);
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
