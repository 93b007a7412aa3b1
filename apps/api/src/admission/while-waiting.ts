import { Interest } from "@findersfee/database/postgres/interest";
import type { FastifyReply } from "fastify";

/**
 * Runs the reads of a request. Their statements end when the client disconnects, or when the request was
 * answered because it took too long. Nobody would see their results, and they would keep connections from
 * others.
 */
export function whileWaiting<Result>(reply: FastifyReply, read: () => Result): Result {
  const interest = new Interest();
  reply.raw.on("close", () => interest.end());
  return interest.run(read);
}
