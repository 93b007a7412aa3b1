import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/**
 * Measures requests and serves these metrics with additional ones at `/metrics`, in Prometheus' text format.
 */
export function serveMetrics(app: FastifyInstance, others: Registry[]): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "findersfee_http_requests_total",
    help: "HTTP requests answered.",
    labelNames: ["method", "route", "status"] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: "findersfee_http_request_duration_seconds",
    help: "Time from the request's headers to the answer's end.",
    labelNames: ["method", "route"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  app.addHook("onResponse", (request, reply, done) => {
    // Requests without a route share one label, so that clients cannot create new labels.
    const route = request.routeOptions.url ?? "unknown";
    requests.inc({ method: request.method, route, status: reply.statusCode });
    duration.observe({ method: request.method, route }, reply.elapsedTime / 1000);
    done();
  });
  app.get("/metrics", async (_request, reply) => {
    reply.type(registry.contentType);
    return await Registry.merge([registry, ...others]).metrics();
  });
}
