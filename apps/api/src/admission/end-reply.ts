import type { FastifyBaseLogger, FastifyReply } from "fastify";
import { isOfOutage } from "../errors.ts";

/** A line of Fastify about a response that was not sent, with its error. */
type Line = { err?: unknown };

/**
 * Sends an error as the last response to a request. The request's work goes on, but its result is not sent.
 */
export function endReply(reply: FastifyReply, error: Error): void {
  if (reply.sent || reply.raw.headersSent) return;
  void reply.send(error);
  reply.hijack();
  reply.log = lateLog(reply);
}

/** Fastify logs each attempt at a second response as a mistake. An error that the client does not get is worth a line. */
function lateLog({ log, request }: FastifyReply): FastifyBaseLogger {
  const late = Object.create(log) as FastifyBaseLogger;
  return Object.assign(late, {
    warn: () => {},
    error: ({ err }: Line) => {
      // The outage has a line of its own.
      if (isOfOutage(err)) return;
      log.warn({ err, request_id: request.id }, "work failed after its request was answered");
    },
  });
}
