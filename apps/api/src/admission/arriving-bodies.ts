import type { ServerResponse } from "node:http";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyReply } from "fastify";
import { endReply } from "./end-reply.ts";
import { networkOf } from "./network.ts";
import { bodyTimeout } from "./request-slots.ts";

const SWEEP_MILLISECONDS = 250;
/** The time for the response to reach the client before the connection is cut. */
const LINGER_MILLISECONDS = 1_000;
const RETRY_AFTER_SECONDS = 1;

export interface BodyLimits {
  /** The maximum number of bodies arriving at once, from all addresses. */
  total: number;
  /** The maximum per address. */
  per_address: number;
  /** A body must be complete this long after the headers. */
  milliseconds: number;
}

interface Arriving {
  reply: FastifyReply;
  network: string;
  /** On the monotonic clock. */
  late_at: number;
}

/**
 * Limits incomplete request bodies from unauthenticated clients. Such a body holds memory but no slot: it
 * takes a slot once complete, so slow bodies do not keep others out. Over the limit, the oldest body is
 * rejected rather than the newest: a processor's body arrives within milliseconds, and an attacker's stays.
 */
export class ArrivingBodies {
  readonly #limits: BodyLimits;
  /** Oldest first, like each network's set. */
  readonly #arriving = new Map<ServerResponse, Arriving>();
  /** Bodies that started during this turn of the event loop. */
  #started: FastifyReply[] = [];
  readonly #by_network = new Map<string, Set<Arriving>>();

  constructor(app: FastifyInstance, limits: BodyLimits) {
    this.#limits = limits;
    const sweep = setInterval(() => this.#endLate(performance.now()), SWEEP_MILLISECONDS);
    sweep.unref();
    app.addHook("onClose", async () => clearInterval(sweep));
  }

  /** Tracks the bodies of a scope's requests. */
  watch(scope: FastifyInstance): void {
    scope.addHook("preParsing", (request, reply, payload, done) => {
      const { headers } = request.raw;
      const has_body = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
      if (has_body) this.#addSoon(reply);
      done(null, payload);
    });
    scope.addHook("preValidation", (_request, reply, done) => {
      this.#remove(reply.raw);
      done();
    });
  }

  /**
   * Waits one turn: most bodies arrive together with their headers and are complete once the pending data is
   * read.
   */
  #addSoon(reply: FastifyReply): void {
    this.#started.push(reply);
    if (this.#started.length > 1) return;
    setImmediate(() => {
      const started = this.#started;
      this.#started = [];
      for (const reply of started) {
        const { request, raw, sent } = reply;
        if (!request.raw.complete && !sent && !raw.closed) this.#add(reply, networkOf(request));
      }
    });
  }

  #add(reply: FastifyReply, network: string): void {
    const arriving = { reply, network, late_at: performance.now() + this.#limits.milliseconds };
    const neighbors = this.#by_network.get(network) ?? new Set();
    this.#by_network.set(network, neighbors.add(arriving));
    this.#arriving.set(reply.raw, arriving);
    reply.raw.once("close", () => this.#remove(reply.raw));
    if (neighbors.size > this.#limits.per_address) this.#refuseOldest(neighbors);
    if (this.#arriving.size > this.#limits.total) this.#refuseOldest(this.#arriving.values());
  }

  #remove(response: ServerResponse): void {
    const arriving = this.#arriving.get(response);
    if (arriving === undefined) return;
    this.#arriving.delete(response);
    const neighbors = this.#by_network.get(arriving.network);
    neighbors?.delete(arriving);
    if (neighbors?.size === 0) this.#by_network.delete(arriving.network);
  }

  #refuseOldest(oldest_first: Iterable<Arriving>): void {
    for (const { reply } of oldest_first) {
      reply.header("retry-after", RETRY_AFTER_SECONDS);
      const message = "Too many unfinished request bodies at a time; send each body without a pause.";
      this.#refuse(reply, new DomainError("rate_limited", { limit: "arriving_bodies", message }));
      return;
    }
  }

  #endLate(now: number): void {
    for (const { reply, late_at } of this.#arriving.values()) {
      if (late_at > now) return;
      this.#refuse(reply, bodyTimeout());
    }
  }

  /** Responds and closes the connection; the rest of the body is useless. */
  #refuse(reply: FastifyReply, error: DomainError): void {
    this.#remove(reply.raw);
    // The body is complete but not yet parsed: the request continues.
    if (reply.request.raw.complete || reply.sent) return;
    const { socket } = reply.request.raw;
    reply.raw.once("finish", () => {
      socket.end();
      setTimeout(() => socket.destroy(), LINGER_MILLISECONDS).unref();
    });
    endReply(reply, error);
  }
}
