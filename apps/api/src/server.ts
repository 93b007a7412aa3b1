import cors from "@fastify/cors";
import type { Database } from "@findersfee/database/connect";
import { createAuthenticator } from "@findersfee/domain/api-keys/authenticate";
import fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from "fastify";
import { answerClientError, answerError, logError } from "./answer-error.ts";
import { authorizer, createLimiter } from "./authorize.ts";
import type { ApiConfig } from "./config.ts";
import { forgetAnswers } from "./forget-answers.ts";
import { serveHealth } from "./health.ts";
import { acceptJson } from "./json-body.ts";
import { serveMetrics } from "./metrics.ts";
import { mountRest } from "./mount-rest.ts";
import { batchSize, mountTrpc } from "./mount-trpc.ts";
import { answerUnrouted } from "./not-found.ts";
import { logRequests, requestIds } from "./request-log.ts";
import { v1 } from "./v1/router.ts";

const MAXIMUM_BODY_BYTES = 256 * 1024;
/** A whole request, headers and body, must have come in by then. */
const REQUEST_MILLISECONDS = 30_000;
/** An answer must have gone out by then; else the caller is told that the service is unavailable. */
const HANDLER_MILLISECONDS = 15_000;

/**
 * Starts an api process's server. Throws Node's EADDRINUSE as it is if the port is taken.
 * `close` stops accepting, lets the requests under way finish, and leaves the database to the caller.
 */
export async function startApi(
  config: ApiConfig,
  database: Database,
): Promise<{ url: string; close: () => Promise<void> }> {
  const app = await buildApi(config, database);
  const url = await app.listen({ host: config.host, port: config.port });
  return { url, close: () => app.close() };
}

/** The server with all that it serves, not yet listening. */
async function buildApi(config: ApiConfig, database: Database): Promise<FastifyInstance> {
  const app = fastify(serverOptions(config));
  app.decorateRequest("principal", null);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply));
  answerUnrouted(app);
  logRequests(app);
  await allowOrigins(app, config);
  serveMetrics(app);
  serveHealth(app, database);
  mountSurfaces(app, config, database);
  forgetAnswers(app, database);
  return app;
}

function serverOptions(config: ApiConfig): FastifyServerOptions {
  return {
    logger: { level: config.log_level, base: { name: "findersfee-api" } },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: requestIds(),
    trustProxy: config.trust_proxy,
    bodyLimit: MAXIMUM_BODY_BYTES,
    requestTimeout: REQUEST_MILLISECONDS,
    handlerTimeout: HANDLER_MILLISECONDS,
    // The longest path parameter is a tRPC batch.
    routerOptions: { maxParamLength: 4096 },
    // Values are coerced, and that is all: what is unknown or wrong is zod's to refuse.
    ajv: {
      customOptions: { coerceTypes: true, removeAdditional: false, useDefaults: false, allErrors: true },
    },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    return503OnClosing: false,
  };
}

/** Browsers may call the API from these origins only; by default from none, since a key in a page is no secret. */
async function allowOrigins(app: FastifyInstance, { cors_origins }: ApiConfig): Promise<void> {
  if (cors_origins.length === 0) return;
  await app.register(cors, {
    origin: cors_origins,
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

function mountSurfaces(app: FastifyInstance, config: ApiConfig, database: Database): void {
  const authorize = authorizer(createAuthenticator(database), createLimiter(config));
  app.register(
    async (rest) => {
      rest.addHook("onRequest", (request, reply) => authorize(request, reply, 1));
      acceptJson(rest, ({ value }) => value);
      mountRest(rest, { router: v1, database });
    },
    { prefix: "/v1" },
  );
  app.register(
    async (trpc) => {
      trpc.addHook("onRequest", (request, reply) => authorize(request, reply, batchSize(request)));
      mountTrpc(trpc, { router: v1, database, onError: logError });
    },
    { prefix: "/trpc" },
  );
}
