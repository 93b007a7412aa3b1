import type { ServerResponse } from "node:http";
import { NotSentError, type OutageGuard } from "@findersfee/database/postgres/outage-guard";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { TOO_SLOW } from "../errors.ts";
import { endReply } from "./end-reply.ts";
import { networkOf } from "./network.ts";
import { SlotCounts } from "./slot-counts.ts";

const SWEEP_MILLISECONDS = 250;
/** Slots are held for milliseconds, so a retry after a second finds free ones. */
const RETRY_AFTER_SECONDS = 1;

const HOLDERS = {
  key: "this API key",
  user: "this user",
  organization: "this organization",
  address: "this address",
} as const;

type Holder = keyof typeof HOLDERS;

/** The limits of a pool of slots; omitted limits are infinite. */
export interface SlotLimits extends Partial<Record<Holder, number>> {
  /** Slots in the whole pool. */
  total: number;
  /** A request that holds a slot longer than this gets an error. */
  milliseconds: number;
  /** The requests can be answered while the database is away. */
  needs_no_database?: boolean;
}

/** The pool's view of the database: whether it is away, or may be. */
export type DatabaseState = Pick<OutageGuard, "is_away" | "is_doubtful" | "onAway">;

interface Held extends Record<Holder, string | null> {
  reply: FastifyReply;
  slots: number;
  /** On the monotonic clock. */
  late_at: number;
}

/**
 * A pool of slots for requests in progress. It limits how many requests the process works on at once and how
 * long each takes: when the database hangs, requests pile up in front of it, and those beyond the pool are
 * rejected immediately. It also limits the slots of one API key, one user, one organization or one address,
 * so that none of them occupies the whole pool.
 *
 * (Fastify's own `handlerTimeout` costs a timer and four objects per request, and stops counting once a body
 * has been read, because the request's stream closes then.)
 */
export class RequestSlots {
  readonly #total: number;
  readonly #milliseconds: number;
  readonly #database: DatabaseState;
  readonly #needs_no_database: boolean;
  readonly #counts: Readonly<Record<Holder, SlotCounts>>;
  readonly #held = new Map<ServerResponse, Held>();
  /** One function for all responses: a closure per response costs more than the lookup. */
  readonly #onClose: (this: ServerResponse) => void;
  #taken = 0;

  constructor(
    app: FastifyInstance,
    database: DatabaseState,
    {
      total,
      milliseconds,
      needs_no_database = false,
      key = Number.POSITIVE_INFINITY,
      user = Number.POSITIVE_INFINITY,
      organization = Number.POSITIVE_INFINITY,
      address = Number.POSITIVE_INFINITY,
    }: SlotLimits,
  ) {
    this.#total = total;
    this.#milliseconds = milliseconds;
    this.#database = database;
    this.#needs_no_database = needs_no_database;
    if (!needs_no_database && milliseconds !== Number.POSITIVE_INFINITY)
      database.onAway(() => this.#endAll());
    this.#counts = {
      key: new SlotCounts(key),
      user: new SlotCounts(user),
      organization: new SlotCounts(organization),
      address: new SlotCounts(address),
    };
    const releaseUnlessAtWork = (response: ServerResponse) => {
      const held = this.#held.get(response);
      if (held !== undefined && !isAtWork(held)) this.release(response);
    };
    this.#onClose = function () {
      releaseUnlessAtWork(this);
    };
    const sweep = setInterval(() => this.#sweep(performance.now()), SWEEP_MILLISECONDS);
    sweep.unref();
    app.addHook("onClose", async () => clearInterval(sweep));
  }

  /**
   * Takes slots for a request until its response has been sent. Throws `unavailable` if the pool is full, or without the database. A
   * batch takes one slot per call.
   */
  take(reply: FastifyReply, slots = 1): void {
    if (this.#database.is_away && !this.#needs_no_database) throw new NotSentError("DATABASE_AWAY");
    if (this.#taken + slots > this.#total) {
      throw new DomainError("unavailable", {
        message: "The service is busy. Try again in a few seconds.",
      });
    }
    this.#taken += slots;
    const late_at = performance.now() + this.#milliseconds;
    const held: Held = { reply, slots, late_at, key: null, user: null, organization: null, address: null };
    this.#held.set(reply.raw, held);
    // Unlike the `onResponse` hook, this event also fires when the client disconnects before the response.
    reply.raw.on("close", this.#onClose);
  }

  /**
   * Also counts the request's slots for a holder. Throws `rate_limited` if the holder has too many, and `unavailable` if that may be
   * the database's fault.
   */
  hold(reply: FastifyReply, holder: Holder, name: string): void {
    const held = this.#held.get(reply.raw);
    if (held === undefined || held[holder] !== null) return;
    const counts = this.#counts[holder];
    if (!counts.take(name, held.slots)) {
      if (this.#database.is_doubtful) throw new DomainError("unavailable");
      reply.header("retry-after", RETRY_AFTER_SECONDS);
      throw new DomainError("rate_limited", {
        limit: "concurrent_requests",
        message: `Too many concurrent requests from ${HOLDERS[holder]}: the limit is ${counts.limit}. Try again in a few seconds.`,
      });
    }
    held[holder] = name;
  }

  /** Counts a slot for the request's address. */
  holdAddress(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#counts.address.limit !== Number.POSITIVE_INFINITY)
      this.hold(reply, "address", networkOf(request));
  }

  release(response: ServerResponse): void {
    const held = this.#held.get(response);
    if (held === undefined) return;
    this.#held.delete(response);
    this.#taken -= held.slots;
    const { key, user, organization, address, slots } = held;
    if (key !== null) this.#counts.key.release(key, slots);
    if (user !== null) this.#counts.user.release(user, slots);
    if (organization !== null) this.#counts.organization.release(organization, slots);
    if (address !== null) this.#counts.address.release(address, slots);
  }

  /**
   * Releases the slots of clients that disconnected without a `close` of the response (before the request
   * took its slots, or while the response waited for an earlier one on the same connection) or before the
   * work ended. Times out late requests.
   */
  #sweep(now: number): void {
    for (const held of this.#held.values()) {
      const { reply, late_at } = held;
      if (late_at <= now) this.#end(reply, new DomainError("unavailable", { message: TOO_SLOW }));
      else if (reply.request.raw.socket.destroyed && !isAtWork(held)) this.release(reply.raw);
    }
  }

  /** They wait for a database that does not answer, and new requests would wait for their slots. */
  #endAll(): void {
    for (const held of this.#held.values()) {
      if (held.reply.request.raw.complete) this.#end(held.reply, new NotSentError("DATABASE_AWAY"));
    }
  }

  #end(reply: FastifyReply, error: Error): void {
    this.release(reply.raw);
    const { complete } = reply.request.raw;
    endReply(reply, complete ? error : bodyTimeout());
  }
}

/**
 * Whether the request has arrived and is not answered yet. If the client disconnects now, the work continues
 * and keeps the slots until it ends; otherwise a client that does not wait for responses would have no limit.
 * Pools without a time limit are for files, which end with their connection.
 */
function isAtWork({ reply, late_at }: Held): boolean {
  return reply.request.raw.complete && !reply.sent && late_at !== Number.POSITIVE_INFINITY;
}

export function bodyTimeout(): DomainError {
  return new DomainError("invalid_request", { message: "The body did not arrive in time." });
}
