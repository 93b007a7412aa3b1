import type { ServerResponse } from "node:http";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from "fastify";
import type { Limits } from "./limits.ts";

const SWEEP_MILLISECONDS = 250;

/**
 * A hook that bounds how many requests are worked on at once, and how long. When the database hangs they
 * pile up in front of it: those over the bound are refused at once instead of taking memory and waiting in
 * vain, and none waits without end.
 *
 * (Fastify's own `handlerTimeout` costs a timer and four objects per request, and stops counting as soon as
 * a body has been read, because the request's stream closes then.)
 */
export function inFlightBound(
  app: FastifyInstance,
  { in_flight, handler_milliseconds }: Limits,
): onRequestHookHandler {
  /** In the order of their coming, so that a sweep only looks at those that are late. */
  const under_way = new Map<ServerResponse, FastifyReply>();
  function release(this: ServerResponse): void {
    under_way.delete(this);
  }
  const sweep = setInterval(() => {
    for (const [response, reply] of under_way) {
      if (reply.elapsedTime < handler_milliseconds) break;
      under_way.delete(response);
      endLate(reply);
    }
  }, SWEEP_MILLISECONDS);
  sweep.unref();
  app.addHook("onClose", async () => clearInterval(sweep));
  return (_request, reply, done) => {
    if (under_way.size >= in_flight) {
      done(
        new DomainError("unavailable", {
          message: "The service is busy; try again after Retry-After seconds.",
        }),
      );
      return;
    }
    under_way.set(reply.raw, reply);
    // Unlike the hook `onResponse`, this also comes for answers that nobody waited for.
    reply.raw.on("close", release);
    done();
  };
}

function endLate(reply: FastifyReply): void {
  if (reply.sent) return;
  if (reply.request.raw.complete) void reply.send(new DomainError("unavailable"));
  else void reply.send(new DomainError("invalid_request", { message: "The body did not arrive in time." }));
}
