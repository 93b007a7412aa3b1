import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AddressLimiter } from "./address-limiter.ts";
import { networkOf } from "./network.ts";

/** A hook that rejects requests from addresses over a limit per minute. */
export function limitAddresses(limit: number) {
  const limiter = new AddressLimiter(limit);
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (!limiter.count(networkOf(request))) {
      done();
      return;
    }
    reply.header("retry-after", limiter.reset_seconds);
    done(
      new DomainError("rate_limited", {
        limit: "requests_of_address",
        message: "Too many requests from this address. Try again in a minute.",
      }),
    );
  };
}
