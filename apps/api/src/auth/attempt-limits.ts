import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply } from "fastify";
import { AddressLimiter } from "../admission/address-limiter.ts";

/** Sign-ins and mails for one email address, from all networks, per minute and process. */
const SIGN_INS = 10;
const MAILS = 3;

/** Counts attempts per email address, whether or not a user has it. */
export interface AttemptLimits {
  /** Throws `rate_limited` if there were too many sign-ins with this email within this minute. */
  countSignIn(reply: FastifyReply, email: string): void;
  /** The same for mails. */
  countMail(reply: FastifyReply, email: string): void;
}

export function createAttemptLimits({ enabled }: { enabled: boolean }): AttemptLimits {
  const counter = (limit: number) => {
    const limiter = new AddressLimiter(limit);
    return (reply: FastifyReply, email: string): void => {
      if (!enabled || !limiter.count(email)) return;
      reply.header("retry-after", limiter.reset_seconds);
      throw new DomainError("rate_limited", {
        message: "Too many attempts with this email; retry after Retry-After seconds.",
      });
    };
  };
  return { countSignIn: counter(SIGN_INS), countMail: counter(MAILS) };
}
