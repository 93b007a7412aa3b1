import { maxHeaderSize, type Server } from "node:http";
import cors from "@fastify/cors";
import { type Database, observe } from "@findersfee/database/postgres/connect";
import { isTracing, spanIds } from "@findersfee/database/postgres/tracer";
import type { Replicas } from "@findersfee/database/replicas/replicas";
import { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import { createHostRecords } from "@findersfee/domain/host-record";
import { createProviderFetch } from "@findersfee/domain/identity/single-sign-on/provider-fetch";
import type { LocalMailbox } from "@findersfee/domain/mails/local-mailbox";
import { createAskHost } from "@findersfee/domain/portal/ask-host";
import { createServedHosts, type ServedHosts } from "@findersfee/domain/portal/hosts";
import { createIntake } from "@findersfee/domain/processors/intake/receive";
import { createQuotas } from "@findersfee/domain/quotas";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import { openTracking } from "@findersfee/domain/tracking/tracking";
import type { EndpointPolicy } from "@findersfee/domain/webhooks/endpoints/policy";
import { createNotifier } from "@findersfee/domain/work/notify-workers";
import { createLogger } from "@findersfee/log/log";
import { OutageLog } from "@findersfee/telemetry/outage-log";
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
} from "fastify";
import type { Registry } from "prom-client";
import { createAdmission } from "./admission/admission.ts";
import { routeAtHosts, serveOwnHosts } from "./admission/own-hosts.ts";
import { type ApplicationFolders, serveApplications } from "./applications/documents.ts";
import type { ApiConfig, TrustedProxies } from "./config.ts";
import type { Services } from "./context.ts";
import { serveDocs } from "./docs.ts";
import { sendError } from "./error-response.ts";
import { serveHealth } from "./health.ts";
import { mountAuth } from "./identity/auth/mount.ts";
import { limitHeap } from "./limit-heap.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { serveUnsubscribe } from "./mails/unsubscribe.ts";
import { serveMetrics } from "./metrics.ts";
import { mountSurfaces } from "./mount-surfaces.ts";
import { rejectUnrouted } from "./not-found.ts";
import { describeApi } from "./openapi/document.ts";
import type { ApiDocument } from "./openapi/document-types.ts";
import { serveOpenapi } from "./openapi.ts";
import { mountPortalAuth } from "./portal/auth.ts";
import { serveEmbeddedPortal } from "./portal/embed-document.ts";
import { redirectFormerSlugs } from "./portal/former-slugs.ts";
import { createLooks, servePortalLook } from "./portal/look.ts";
import { createPageHeads } from "./portal/page-head.ts";
import { mountProcessors } from "./processors/mount.ts";
import { handleProtocolErrors, protocolOptions } from "./protocol.ts";
import { pruneIdempotencyKeys } from "./prune-idempotency-keys.ts";
import { serveReplicas } from "./replicas/serve.ts";
import { logRequests, requestIds } from "./request-log.ts";
import { securityHeaders, sendSecurityHeaders } from "./security-headers.ts";
import { traceRequests } from "./trace-requests.ts";
import { serveTracking } from "./tracking/serve.ts";
import { v1 } from "./v1-router.ts";
import { serveWellKnown } from "./well-known.ts";

export interface ApiDependencies {
  /** The rules for the URLs of new webhook endpoints. */
  endpoint_policy: EndpointPolicy;
  /** Standbys that answer reads of people; absent: the primary answers all. */
  replicas?: Replicas | undefined;
  limits?: Limits;
  /** Additional metrics of the process, served together with the server's own. */
  registries?: Registry[];
  /** The release, as shown in the OpenAPI document. */
  version?: string;
  applications?: ApplicationFolders;
  /** The mails of a local service without a mail server, for its admins; absent: the service shows none. */
  mailbox?: LocalMailbox;
}

/** Only the command has a version: its packages are not released. */
const UNRELEASED = "unreleased";

/**
 * Starts an api process's server. Throws Node's EADDRINUSE unchanged if the port is taken. `close` stops
 * accepting requests, waits for those in progress up to a limit, and leaves the database to the caller.
 * `drain` before makes `/readyz` say so, while requests are still answered.
 */
export async function startApi(
  config: ApiConfig,
  database: Database,
  {
    endpoint_policy,
    replicas,
    limits = LIMITS,
    registries = [],
    version = UNRELEASED,
    applications = {},
    mailbox,
  }: ApiDependencies,
): Promise<{ url: string; drain: () => void; close: () => Promise<void> }> {
  limitHeap();
  let is_draining = false;
  const app = await buildApi(config, {
    database,
    endpoint_policy,
    replicas,
    limits,
    registries,
    version,
    applications,
    mailbox,
    isDraining: () => is_draining,
  });
  const url = await app.listen({ host: config.host, port: config.port });
  const drain = () => {
    is_draining = true;
    endConnections(app);
  };
  return { url, drain, close: () => closeApi(app, limits) };
}

/** Each connection ends with its next response, so that none is cut when the server closes. */
function endConnections(app: FastifyInstance): void {
  app.server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
}

/** A client that does not read its response would keep the process running indefinitely. */
async function closeApi(app: FastifyInstance, { stop_milliseconds }: Limits): Promise<void> {
  const patience = setTimeout(() => app.server.closeAllConnections(), stop_milliseconds);
  await app.close().finally(() => clearTimeout(patience));
}

interface Built extends Required<Omit<ApiDependencies, "mailbox" | "replicas">> {
  database: Database;
  replicas: Replicas | undefined;
  mailbox: LocalMailbox | null | undefined;
  isDraining: () => boolean;
}

/** The server with all its routes, not yet listening. */
async function buildApi(config: ApiConfig, built: Built): Promise<FastifyInstance> {
  const { database, replicas, endpoint_policy, limits, version, applications, mailbox = null } = built;
  const { public_url, service_hosts } = config;
  const hosts = createServedHosts(database, { public_url, service_hosts, listens_on: config.host });
  const app = createServer(serverOptions(config, { limits, hosts, log: openLog(config, built) }));
  sendSecurityHeaders(app, config.public_url);
  const is_limited = config.sign_in_limit_per_minute > 0;
  serveOwnHosts(app, { hosts, is_limited });
  handleProtocolErrors(app);
  await allowOrigins(app, config);
  rejectUnrouted(app);
  serveMetrics(app, built);
  await serveHealth(app, built);
  const read_routes = replicas === undefined ? null : serveReplicas(app, { replicas, database, public_url });
  const describe = describedOnce(version);
  serveOpenapi(app, { public_url, describe });
  serveDocs(app, { public_url, describe });
  const looks = createLooks(database);
  await servePages(app, { database, looks, config, applications });
  const onError = (error: unknown) =>
    app.log.warn({ err: error }, "failed to notify the workers; they find the work on their next poll");
  const notifyWorkers = createNotifier(database, "events", onError);
  const quotas = createQuotas(database, config.quotas, (error) =>
    app.log.warn({ err: error }, "failed to count quota usage"),
  );
  const { secrets_key } = endpoint_policy;
  const admission = createAdmission(app, { config, limits, database, secrets_key });
  const commission_writer = new CommissionBatchWriter(database);
  const intake = createIntake(database, {
    secrets_key,
    notifyWorkers: createNotifier(database, "inbound_webhooks", onError),
  });
  const budgets_per_minute = config.track_budgets_per_minute;
  const tracking = openTracking({ database, secrets_key, budgets_per_minute, notifyWorkers });
  const shared = { read_routes, commission_writer, tracking, intake, notifyWorkers, mailbox };
  const calls = outboundCalls(config, secrets_key);
  const services = { database, endpoint_policy, public_url, service_hosts, quotas, ...calls, ...shared };
  mountSurfaces(app, { config, admission, services });
  mountProcessors(app, { intake, admission, limits });
  const limit_per_minute = config.track_limit_per_minute;
  serveTracking(app, { tracking, admission, limit_per_minute, country_header: config.country_header });
  mountAuth(app, { database, secrets_key, ...calls, admission, config });
  const notifyOfMails = createNotifier(database, "mails", onError);
  mountPortalAuth(app, { database, secrets_key, admission, config, notifyOfMails, notifyWorkers });
  servePortalLook(app, { database, looks, admission, config });
  const { portal } = applications;
  if (portal !== undefined) await serveEmbeddedPortal(app, { folder: portal, database, admission, config });
  serveUnsubscribe(app, { database, secrets_key, admission, limit_per_minute });
  pruneIdempotencyKeys(app, database);
  return app;
}

function createServer(options: FastifyHttpOptions<Server>): FastifyInstance {
  const app = fastify(options);
  app.decorateRequest("principal", null);
  app.decorateRequest("user_session", null);
  app.decorateRequest("portal_session", null);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  if (isTracing()) traceRequests(app);
  logRequests(app);
  return app;
}

/** The process's log, with one line for the beginning and one for the end of an outage of the database. */
function openLog(
  { log_level: level }: ApiConfig,
  { database, version }: { database: Database; version: string },
): FastifyBaseLogger {
  const mixin = isTracing() ? spanIds : undefined;
  const log = createLogger({ name: "findersfee-api", level, version, mixin });
  const outages = new OutageLog(log);
  observe(database, outages);
  return outages.quiet(log);
}

interface Pages {
  database: Database;
  looks: ReturnType<typeof createLooks>;
  config: ApiConfig;
  applications: ApplicationFolders;
}

/** The pages of the applications, and the files next to them that programs look for. */
async function servePages(
  app: FastifyInstance,
  { database, looks, config, applications }: Pages,
): Promise<void> {
  const { public_url, sign_in_limit_per_minute } = config;
  await serveApplications(app, applications, {
    public_url,
    before: redirectFormerSlugs(database, { public_url, is_limited: sign_in_limit_per_minute > 0 }),
    headOf: createPageHeads(looks, public_url),
  });
  serveWellKnown(app, config, { has_dashboard: applications.dashboard !== undefined });
}

/** How the process calls identity providers, name servers, and itself at host names of organizations. */
function outboundCalls(
  { sign_in_providers: relaxations, dns_servers }: ApiConfig,
  secrets_key: SecretsKey,
): Pick<Services, "provider_calls" | "lookAtHostRecord" | "askHost"> {
  return {
    provider_calls: { fetch: createProviderFetch(relaxations), relaxations, secrets_key },
    lookAtHostRecord: createHostRecords(dns_servers),
    askHost: createAskHost(relaxations),
  };
}

/** The OpenAPI document, generated on the first request: it takes longer than the rest of the startup. */
function describedOnce(version: string): () => ApiDocument {
  let document: ApiDocument | null = null;
  return () => {
    document ??= describeApi(v1, { server_url: "/v1", version });
    return document;
  };
}

function serverOptions(
  config: ApiConfig,
  { limits, hosts, log }: { limits: Limits; hosts: ServedHosts; log: FastifyBaseLogger },
): FastifyHttpOptions<Server> {
  return {
    ...protocolOptions(limits),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request costs more than its line; the few lines logged contain the request id.
    childLoggerFactory: (logger) => logger,
    genReqId: requestIds(),
    rewriteUrl: routeAtHosts(hosts),
    trustProxy: trustOf(config.trust_proxy),
    bodyLimit: limits.body_bytes,
    // No parameter exceeds Node's limit for the request head.
    routerOptions: { maxParamLength: maxHeaderSize },
    // Before any hook.
    frameworkErrors: (error, request, reply) => {
      void sendError(error, request, reply.headers(securityHeaders(config.public_url)));
    },
    return503OnClosing: false,
  };
}

/** With a number of hops, Fastify trusts no address. Proxies are counted outward from the service. */
function trustOf(proxies: TrustedProxies): false | string[] | ((address: string, hop: number) => boolean) {
  return typeof proxies === "number" ? (_address, hop) => hop < proxies : proxies;
}

/**
 * Browsers may call the API from these origins only; none by default, since a key in a page is not secret.
 */
async function allowOrigins(app: FastifyInstance, { cors_origins }: ApiConfig): Promise<void> {
  if (cors_origins.length === 0) return;
  await app.register(cors, {
    origin: cors_origins,
    // Otherwise an OPTIONS request that is not a preflight gets a text instead of the common error body.
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
