import type { Database } from "@findersfee/database/postgres/connect";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { countMigrations } from "@findersfee/database/schema/check";
import { tallied } from "@findersfee/domain/tallies";
import { showClock } from "@findersfee/telemetry/clock";
import { DatabaseGauges } from "@findersfee/telemetry/database-gauges";
import { scrape } from "@findersfee/telemetry/scrape";
import type { FastifyInstance } from "fastify";
import { Counter, Histogram, Registry } from "prom-client";

/**
 * Measures requests and serves these metrics with additional ones at `/metrics`, in Prometheus' text format.
 */
export function serveMetrics(
  app: FastifyInstance,
  { database, registries }: { database: Database; registries: Registry[] },
): void {
  const registry = new Registry();
  const gauges = new DatabaseGauges(registry, {
    name: "findersfee_api_database_reads_up",
    onError: (error, reading) => {
      if (!isUnavailable(error)) app.log.error({ err: error, reading }, "failed to read metrics");
    },
  });
  gauges.show("migrations", () => countMigrations(database), { gauges: MIGRATIONS });
  showClock(gauges, database);
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
  countTallies(registry);
  app.addHook("onResponse", (request, reply, done) => {
    // Requests without a route share one label, so that clients cannot create new labels.
    const route = request.routeOptions.url ?? "unknown";
    requests.inc({ method: request.method, route, status: reply.statusCode });
    duration.observe({ method: request.method, route }, reply.elapsedTime / 1000);
    done();
  });
  app.get("/metrics", async (_request, reply) => {
    const { text, content_type } = await scrape([registry, ...registries]);
    reply.type(content_type);
    return text;
  });
}

function countTallies(registry: Registry): void {
  const registers = [registry];
  for (const { tallies, label, ...metric } of TALLIES) {
    new Counter({
      ...metric,
      labelNames: [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of tallied(tallies)) this.inc({ [label]: value }, count);
      },
    });
  }
}

const TALLIES = [
  {
    name: "findersfee_requests_limited_total",
    help: "Requests refused by a limit of requests or attempts.",
    label: "limit",
    tallies: "refused",
  },
  {
    name: "findersfee_failed_sign_ins_total",
    help: "Sign-ins and requests refused for wrong passwords, codes, keys or sessions.",
    label: "reason",
    tallies: "failed_sign_ins",
  },
  {
    name: "findersfee_quota_rows_total",
    help: "Rows that a quota of organizations has admitted.",
    label: "quota",
    tallies: "quota_admitted",
  },
  {
    name: "findersfee_quota_refusals_total",
    help: "Requests refused because an organization has used its quota.",
    label: "quota",
    tallies: "quota_refused",
  },
] as const;

const MIGRATIONS = [
  {
    name: "findersfee_migrations_pending",
    help: "Migrations of this version that the database lacks.",
    value: ({ pending }: { pending: number }) => pending,
  },
  {
    name: "findersfee_migrations_newer",
    help: "Migrations of newer versions that the database has.",
    value: ({ newer }: { newer: number }) => newer,
  },
];
