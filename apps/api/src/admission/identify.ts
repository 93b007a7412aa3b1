import type { Authenticator, Principal } from "@findersfee/domain/api-keys/authenticate";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FailedAuthentications } from "./failed-authentications.ts";
import type { RequestSlots } from "./request-slots.ts";

/**
 * Finds the principal of a key, synchronously if the key is cached. Throws `unauthorized` for an invalid key,
 * and `rate_limited` if the address sent too many invalid ones.
 */
export type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
) => Principal | Promise<Principal>;

/**
 * Creates the function that identifies requests. Limits per address apply to uncached keys only, so a client
 * with a recently valid key is unaffected by others behind the same address. `lookups` limits the requests
 * that wait for the database.
 */
export function identifier({
  authenticator,
  failures,
  lookups,
}: {
  authenticator: Authenticator;
  failures: FailedAuthentications;
  lookups: RequestSlots;
}): Identify {
  async function lookUp(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Principal> {
    const is_familiar = authenticator.isFamiliar(token);
    if (!is_familiar) failures.requireAttempt(request, reply);
    lookups.take(reply);
    try {
      if (!is_familiar) lookups.holdAddress(request, reply);
      return await authenticator.authenticate(token);
    } catch (error) {
      if (error instanceof DomainError && error.code === "unauthorized") failures.count(request);
      throw error;
    } finally {
      lookups.release(reply.raw);
    }
  }

  return (request, reply, token) => authenticator.peek(token) ?? lookUp(request, reply, token);
}
