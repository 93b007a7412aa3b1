import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AddressLimiter } from "../../admission/address-limiter.ts";
import { networkOf } from "../../admission/network.ts";

/**
 * Sign-ins with one email per minute and process: from one network, and from all. Few for a network, so that nobody can
 * guess; more for all, so that a stranger alone cannot keep the person out.
 */
const SIGN_INS = { of_network: 10, of_all: 100 };
/** Mails to one address per minute and process. */
const MAILS = 3;

/** Counts attempts per email address, whether or not a user has it. */
export interface AttemptLimits {
  /** Throws `rate_limited` if there were too many sign-ins with this email within this minute. */
  countSignIn(request: FastifyRequest, reply: FastifyReply, email: string): void;
  /** The same for mails. */
  countMail(reply: FastifyReply, email: string): void;
}

export function createAttemptLimits({ enabled }: { enabled: boolean }): AttemptLimits {
  const countNetwork = counter(SIGN_INS.of_network);
  const countAll = counter(SIGN_INS.of_all);
  const countMail = counter(MAILS);
  return {
    countSignIn(request, reply, email) {
      if (!enabled) return;
      countNetwork(reply, `${networkOf(request)} ${email}`);
      countAll(reply, email);
    },
    countMail(reply, email) {
      if (enabled) countMail(reply, email);
    },
  };
}

function counter(limit: number): (reply: FastifyReply, name: string) => void {
  const limiter = new AddressLimiter(limit);
  return (reply, name) => {
    if (!limiter.count(name)) return;
    reply.header("retry-after", limiter.reset_seconds);
    throw new DomainError("rate_limited", {
      message: "Too many attempts with this email. Try again in a minute.",
    });
  };
}
