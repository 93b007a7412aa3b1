import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";

/** Ids that no other process gives out, for the price of a counter. */
export function requestIds(): () => string {
  const process_id = randomBytes(5).toString("hex");
  let requests = 0;
  return () => `req-${process_id}-${(++requests).toString(36)}`;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** What is done here leaves rows that tell more than a line would: only failures are logged. */
    logFailuresOnly?: boolean;
  }
}

/** Names each request to its sender, and logs one line when it has been answered. */
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
