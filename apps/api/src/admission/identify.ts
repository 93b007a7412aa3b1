import type { Authenticator } from "@findersfee/domain/caching/token-authenticator";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FailedAuthentications } from "./failed-authentications.ts";
import type { RequestSlots } from "./request-slots.ts";

/**
 * Finds the principal of a token, synchronously if the token is cached. Throws the authenticator's error for an
 * invalid token, and `rate_limited` if the address sent too many invalid ones.
 */
export type Identify<Found> = (
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
) => Found | Promise<Found>;

/**
 * Creates the function that identifies requests. Limits per address apply to uncached tokens only, so a
 * client with a recently valid key is unaffected by others behind the same address. `lookups` limits the
 * requests that wait for the database.
 */
export function identifier<Found>({
  authenticator,
  failures,
  lookups,
}: {
  authenticator: Authenticator<Found>;
  failures: FailedAuthentications;
  lookups: RequestSlots;
}): Identify<Found> {
  async function lookUp(request: FastifyRequest, reply: FastifyReply, token: string): Promise<Found> {
    const is_familiar = authenticator.isFamiliar(token);
    if (!is_familiar) failures.requireAttempt(request, reply);
    lookups.take(reply);
    try {
      if (!is_familiar) lookups.holdAddress(request, reply);
      return await authenticator.authenticate(token);
    } catch (error) {
      if (isRejection(error)) failures.count(request);
      throw error;
    } finally {
      lookups.release(reply.raw);
    }
  }

  return (request, reply, token) => authenticator.peek(token) ?? lookUp(request, reply, token);
}

function isRejection(error: unknown): boolean {
  return error instanceof DomainError && (error.code === "unauthorized" || error.code === "session_expired");
}
