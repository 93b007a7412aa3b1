import { Interest } from "@findersfee/database/postgres/interest";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * The interest of a read's client. Its statements end when the client disconnects, or when the request was answered because it took
 * too long: nobody would see their results, and they would keep connections from others. Null: the request may change something.
 */
export function interestOf({ method }: FastifyRequest, reply: FastifyReply): Interest | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const interest = new Interest();
  reply.raw.on("close", () => interest.end());
  return interest;
}
