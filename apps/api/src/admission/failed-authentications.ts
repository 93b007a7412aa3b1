import { DomainError } from "@findersfee/domain/errors";
import { tally } from "@findersfee/domain/tallies";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AddressLimiter } from "./address-limiter.ts";
import { networkOf } from "./network.ts";

/** Counts invalid keys and tokens per address, across all surfaces. */
export class FailedAuthentications {
  readonly #limiter: AddressLimiter | null;

  /** Per address and minute; 0 for no limit. */
  constructor(limit: number) {
    this.#limiter = limit === 0 ? null : new AddressLimiter(limit);
  }

  /** Throws `rate_limited` if the address has failed too often within this minute. */
  requireAttempt(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#limiter === null || !this.#limiter.isExhausted(networkOf(request))) return;
    reply.header("retry-after", this.#limiter.reset_seconds);
    throw new DomainError("rate_limited", {
      limit: "failed_authentications",
      message: "Too many failed authentications from this address. Try again in a minute.",
    });
  }

  count(request: FastifyRequest): void {
    tally("failed_sign_ins", "credential");
    this.#limiter?.count(networkOf(request));
  }
}
