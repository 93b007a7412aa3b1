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

/** Probes ask every few seconds, and are about the whole service: metrics and other lines say the same. */
const PROBES: readonly (string | undefined)[] = ["/healthz", "/readyz", "/metrics"];

/** Whether a request to this route is one of those that nobody wants to read about. */
export function isProbe(route: string | undefined): boolean {
  return PROBES.includes(route);
}

/** The characters of a request id from a client or a proxy; other values are not logged. */
const CLIENT_REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** Of the header `traceparent` of W3C Trace Context: version, id of the trace, id of the caller's span, flags. */
const TRACE_PARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceIdOf(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? TRACE_PARENT.exec(header)?.[1] : undefined;
}

/** Assigns each request an id, and logs one line per response, but none for probes. */
export function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { url, config } = request.routeOptions;
    if (isProbe(url) || (reply.statusCode < 400 && config.logFailuresOnly === true)) {
      done();
      return;
    }
    const sent = request.headers["x-request-id"];
    request.log.info(
      {
        request_id: request.id,
        trace_id: request.span?.trace_id ?? traceIdOf(request.headers.traceparent),
        client_request_id: typeof sent === "string" && CLIENT_REQUEST_ID.test(sent) ? sent : undefined,
        organization_id: request.principal?.organization.id,
        method: request.method,
        route: url,
        status: reply.statusCode,
        duration_milliseconds: Math.round(reply.elapsedTime * 1000) / 1000,
      },
      "request",
    );
    done();
  });
}
