import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Request ids, unique across processes, for the price of a counter. */
export function requestIds(): () => string {
  const process_id = randomBytes(5).toString("hex");
  let requests = 0;
  return () => `req-${process_id}-${(++requests).toString(36)}`;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** These requests leave rows with more detail than a log line: only failures are logged. */
    logFailuresOnly?: boolean;
  }
}

/** Assigns each request an id, and logs one line per response. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (reply.statusCode < 400 && request.routeOptions.config.logFailuresOnly === true) {
      done();
      return;
    }
    request.log.info(
      {
        request_id: request.id,
        organization_id: request.principal?.organization.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        duration_milliseconds: Math.round(reply.elapsedTime * 1000) / 1000,
      },
      "request",
    );
    done();
  });
}
