import { type OpenSpan, openSpan } from "@findersfee/database/postgres/tracer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isProbe } from "./request-log.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The span of the request; absent: traces are off, or it is a probe. */
    span?: OpenSpan;
  }
}

/**
 * Records a span for each request, in which its statements have theirs. A header `traceparent` makes it part of the caller's trace. The
 * span has the route but no URL: paths hold codes of links and emails.
 */
export function traceRequests(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const span = isProbe(request.routeOptions.url) ? null : spanOf(request);
    if (span === null) {
      done();
      return;
    }
    request.span = span;
    span.run(done);
  });
  // Node reads bodies in a context of its own.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.span === undefined) done();
    else request.span.run(done);
  });
  app.addHook("onRequestAbort", (request, done) => {
    request.span?.end({ error_type: "aborted" });
    done();
  });
  app.addHook("onResponse", (request, { statusCode: status }, done) => {
    const organization_id = request.principal?.organization.id;
    const organization =
      organization_id === undefined ? {} : { "findersfee.organization.id": organization_id };
    request.span?.end({
      attributes: { "http.response.status_code": status, ...organization },
      error_type: status >= 500 ? String(status) : null,
    });
    done();
  });
}

function spanOf({ method, routeOptions, headers, protocol, id }: FastifyRequest): OpenSpan | null {
  const { url: route } = routeOptions;
  const parent = headers.traceparent;
  return openSpan({
    name: route === undefined ? method : `${method} ${route}`,
    kind: "server",
    parent: typeof parent === "string" ? parent : null,
    attributes: {
      "http.request.method": method,
      ...(route === undefined ? {} : { "http.route": route }),
      "url.scheme": protocol,
      "findersfee.request.id": id,
    },
  });
}
