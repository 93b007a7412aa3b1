import { Interest } from "@findersfee/database/postgres/interest";
import type { FastifyReply } from "fastify";

/**
 * Runs the reads of a request. Their statements end when the client disconnects, or when the request got its answer because it took
 * too long: nobody would see what they find, and they would keep connections from others.
 */
export function whileWaiting<Result>(reply: FastifyReply, read: () => Result): Result {
  const interest = new Interest();
  reply.raw.on("close", () => interest.end());
  return interest.run(read);
}
