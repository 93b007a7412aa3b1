import { maxHeaderSize, type Server } from "node:http";
import cors from "@fastify/cors";
import type { Database } from "@findersfee/database/connect";
import type { EndpointPolicy } from "@findersfee/domain/endpoints/policy";
import { createWake, createWorkOffWake } from "@findersfee/domain/events/wake";
import { createIntake } from "@findersfee/domain/processors/intake/receive";
import { createQuotas } from "@findersfee/domain/quotas";
import { logDestination } from "@findersfee/log/destination";
import fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from "fastify";
import type { Registry } from "prom-client";
import { createAdmission } from "./admission/admission.ts";
import { answerError } from "./answer-error.ts";
import type { ApiConfig, TrustedProxies } from "./config.ts";
import { serveDocs } from "./docs.ts";
import { forgetAnswers } from "./forget-answers.ts";
import { serveHealth } from "./health.ts";
import { keepHeapSmall } from "./heap.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { serveMetrics } from "./metrics.ts";
import { mountSurfaces } from "./mount-surfaces.ts";
import { refuseUnrouted } from "./not-found.ts";
import { describeApi } from "./openapi/document.ts";
import type { ApiDocument } from "./openapi/parts.ts";
import { serveOpenapi } from "./openapi.ts";
import { mountProcessors } from "./processors/mount.ts";
import { answerProtocol, protocolOptions } from "./protocol.ts";
import { logRequests, requestIds } from "./request-log.ts";
import { serveTracking } from "./tracking/serve.ts";
import { serveUnsubscribe } from "./unsubscribe/serve.ts";
import { v1 } from "./v1/router.ts";

export interface ApiParts {
  /** Under which webhook endpoints are made. */
  endpoint_policy: EndpointPolicy;
  limits?: Limits;
  /** What else the process measures, served with its own figures. */
  registries?: Registry[];
  /** The release that serves, as the OpenAPI document names it. */
  version?: string;
}

/** Nobody but the command has a version: the packages that it is made of are not released. */
const UNRELEASED = "unreleased";

/**
 * Starts an api process's server. Throws Node's EADDRINUSE as it is if the port is taken.
 * `close` stops accepting, lets the requests under way finish, but not for ever, and leaves the database to
 * the caller.
 */
export async function startApi(
  config: ApiConfig,
  database: Database,
  { endpoint_policy, limits = LIMITS, registries = [], version = UNRELEASED }: ApiParts,
): Promise<{ url: string; close: () => Promise<void> }> {
  keepHeapSmall();
  const app = await buildApi(config, { database, endpoint_policy, limits, registries, version });
  const url = await app.listen({ host: config.host, port: config.port });
  return { url, close: () => closeApi(app, limits) };
}

/** A client that does not read its answer would keep the process for as long as it likes. */
async function closeApi(app: FastifyInstance, { stop_milliseconds }: Limits): Promise<void> {
  const patience = setTimeout(() => app.server.closeAllConnections(), stop_milliseconds);
  await app.close().finally(() => clearTimeout(patience));
}

/** The server with all that it serves, not yet listening. */
async function buildApi(
  config: ApiConfig,
  { database, endpoint_policy, limits, registries, version }: Required<ApiParts> & { database: Database },
): Promise<FastifyInstance> {
  const app = fastify(serverOptions(config, limits));
  app.decorateRequest("principal", null);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  logRequests(app);
  answerProtocol(app);
  await allowOrigins(app, config);
  refuseUnrouted(app);
  serveMetrics(app, registries);
  await serveHealth(app, { database, version });
  const describe = describedOnce(version);
  serveOpenapi(app, { public_url: config.public_url, describe });
  serveDocs(app, { public_url: config.public_url, describe });
  const onError = (error: unknown) => app.log.warn({ err: error }, "no worker could be woken");
  const wake = createWake(database, onError);
  const quotas = createQuotas(database, config.quotas, (error) =>
    app.log.warn({ err: error }, "quota usage could not be counted"),
  );
  const admission = createAdmission(app, { config, limits, database });
  mountSurfaces(app, { config, admission, services: { database, endpoint_policy, quotas, wake } });
  const { secrets_key } = endpoint_policy;
  const intake = createIntake(database, { secrets_key, wake: createWorkOffWake(database, onError) });
  mountProcessors(app, { intake, admission, limits });
  const limit_per_minute = config.track_limit_per_minute;
  const budgets_per_minute = config.track_budgets_per_minute;
  serveTracking(app, { database, secrets_key, wake, admission, limit_per_minute, budgets_per_minute });
  serveUnsubscribe(app, { database, secrets_key, admission, limit_per_minute });
  forgetAnswers(app, database);
  return app;
}

/** The OpenAPI document, made when it is first asked for: it takes longer than all else at the start. */
function describedOnce(version: string): () => ApiDocument {
  let document: ApiDocument | null = null;
  return () => {
    document ??= describeApi(v1, { server_url: "/v1", version });
    return document;
  };
}

function serverOptions(config: ApiConfig, limits: Limits): FastifyHttpOptions<Server> {
  return {
    ...protocolOptions(limits),
    logger: { level: config.log_level, base: { name: "findersfee-api" }, stream: logDestination() },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own costs each request more than its line; the few that log say whose request it was.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIds(),
    trustProxy: trustOf(config.trust_proxy),
    bodyLimit: limits.body_bytes,
    // No parameter is longer than Node's limit of a request's head.
    routerOptions: { maxParamLength: maxHeaderSize },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    return503OnClosing: false,
  };
}

/** Fastify trusts nobody when it gets a number of hops. Proxies are counted from the service outwards. */
function trustOf(proxies: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === "number" ? (_address, hop) => hop < proxies : proxies;
}

/** Browsers may call the API from these origins only; by default from none, since a key in a page is no secret. */
async function allowOrigins(app: FastifyInstance, { cors_origins }: ApiConfig): Promise<void> {
  if (cors_origins.length === 0) return;
  await app.register(cors, {
    origin: cors_origins,
    // Else an OPTIONS that is no preflight gets a text that is none of our error bodies.
    strictPreflight: false,
    methods: ["GET", "POST", "PUT"],
    allowedHeaders: ["authorization", "content-type", "idempotency-key"],
    exposedHeaders: [
      "idempotency-replayed",
      "ratelimit-limit",
      "ratelimit-remaining",
      "ratelimit-reset",
      "retry-after",
      "x-request-id",
    ],
  });
}
