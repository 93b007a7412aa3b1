import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AddressLimiter } from "../../admission/address-limiter.ts";
import { networkOf, wideNetworkOf } from "../../admission/network.ts";

interface Limits {
  of_address: number;
  of_network: number;
  of_all: number;
}

/**
 * Sign-ins with one email per minute and process: few for an address and its network, so that nobody can guess; more for all, so
 * that ten networks of strangers cannot keep the person out.
 */
const SIGN_INS: Limits = { of_address: 10, of_network: 12, of_all: 150 };
/** The limits of mails, likewise. */
const MAILS: Limits = { of_address: 3, of_network: 4, of_all: 50 };

/** Counts attempts per email address, whether or not a user has it. */
export interface AttemptLimits {
  /** Throws `rate_limited` if there were too many sign-ins with this email within this minute. */
  countSignIn(request: FastifyRequest, reply: FastifyReply, email: string): void;
  /** The same for mails. */
  countMail(request: FastifyRequest, reply: FastifyReply, email: string): void;
}

export function createAttemptLimits({ enabled }: { enabled: boolean }): AttemptLimits {
  const ignore = () => {};
  return {
    countSignIn: enabled ? counterOf(SIGN_INS) : ignore,
    countMail: enabled ? counterOf(MAILS) : ignore,
  };
}

function counterOf({ of_address, of_network, of_all }: Limits): AttemptLimits["countSignIn"] {
  const countAddress = counter(of_address);
  const countNetwork = counter(of_network);
  const countAll = counter(of_all);
  return (request, reply, email) => {
    countAddress(reply, `${networkOf(request)} ${email}`);
    countNetwork(reply, `${wideNetworkOf(request)} ${email}`);
    countAll(reply, email);
  };
}

function counter(limit: number): (reply: FastifyReply, name: string) => void {
  const limiter = new AddressLimiter(limit);
  return (reply, name) => {
    if (!limiter.count(name)) return;
    reply.header("retry-after", limiter.reset_seconds);
    throw new DomainError("rate_limited", {
      limit: "sign_ins",
      message: "Too many attempts with this email. Try again in a minute.",
    });
  };
}
