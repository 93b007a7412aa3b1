import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Admission } from "./admission/admission.ts";
import {
  type Authorize,
  authorizer,
  createLimiter,
  type OperationLimits,
  portalAuthorizer,
  userAuthorizer,
} from "./admission/authorize.ts";
import type { RequestSlots } from "./admission/request-slots.ts";
import { mountAuditLog } from "./audit-log/feed.ts";
import type { ApiConfig } from "./config.ts";
import { accountContext, portalContext, requestContext, type Services } from "./context.ts";
import { FILES_IN_FLIGHT, FILES_PER_ORGANIZATION, mountFiles } from "./files/mount.ts";
import { account_router } from "./identity/account/router.ts";
import { servePortalFiles } from "./portal/files.ts";
import { portal_router } from "./portal/router.ts";
import { acceptJson } from "./rest/json-body.ts";
import { mountRest } from "./rest/mount.ts";
import { requireDashboardAccess } from "./rights.ts";
import { app_router } from "./router.ts";
import { batchSize, MAX_BATCH, mountTrpc, type TrpcSurface } from "./trpc/mount.ts";
import { TRPC_PATHS } from "./trpc/paths.ts";
import { v1 } from "./v1-router.ts";

/** The part of the process that the surfaces below share. */
interface Mounting {
  admission: Admission;
  limits: OperationLimits;
  services: Services;
  /** For files, which take as long as their client; a stalled one ends by `stall_milliseconds`. */
  file_slots: RequestSlots;
  /** The maximum number of calls in a batch. */
  most_calls: number;
}

/** Mounts everything that requires a secret key or a session: REST, tRPC, and the files of payout runs. */
export function mountSurfaces(
  app: FastifyInstance,
  { config, admission, services }: { config: ApiConfig; admission: Admission; services: Services },
): void {
  const limits = { limiter: createLimiter(config), slots: admission.createSlots() };
  const { per_key } = config.concurrent_requests;
  // The calls of a batch run concurrently: with fewer slots, a larger batch would never be admitted.
  const most_calls = per_key === 0 ? MAX_BATCH : Math.min(MAX_BATCH, per_key);
  const file_slots = admission.createSlots({
    total: FILES_IN_FLIGHT,
    organization: FILES_PER_ORGANIZATION,
    milliseconds: Number.POSITIVE_INFINITY,
  });
  const mounting = { admission, limits, services, file_slots, most_calls };
  mountApi(app, mounting);
  mountDashboard(app, mounting);
  mountAccount(app, mounting);
  mountPortal(app, mounting);
}

/** The API, for keys only: a cookie never authenticates a request here. */
function mountApi(app: FastifyInstance, mounting: Mounting): void {
  const { admission, limits, services, file_slots } = mounting;
  const keys = { identify: admission.identify, sessions: null, ...limits };
  const authorize = authorizer(keys);
  app.register(
    async (rest) => {
      rest.addHook("onRequest", (request, reply) => authorize(request, reply, 1));
      acceptJson(rest, ({ value }) => value);
      mountRest(rest, { router: v1, services });
    },
    { prefix: "/v1" },
  );
  const authorizeFile = authorizer({ ...keys, slots: file_slots });
  app.register(
    async (files) => {
      files.addHook("onRequest", (request, reply) => authorizeFile(request, reply, 1));
      mountAuditLog(files, services);
    },
    { prefix: "/v1" },
  );
  mountRouter(app, mounting, {
    prefix: TRPC_PATHS.api,
    authorize,
    router: v1,
    createContext: (...sent) => requestContext(...sent, services),
  });
}

function mountDashboard(app: FastifyInstance, mounting: Mounting): void {
  const { admission, limits, services, file_slots } = mounting;
  const { identify, sessions } = admission;
  const authorize = authorizer({ identify, sessions, ...limits });
  mountRouter(app, mounting, {
    prefix: TRPC_PATHS.dashboard,
    authorize: async (request, reply, calls) => {
      await authorize(request, reply, calls);
      requireDashboardAccess(request.principal);
    },
    takes_cookies: true,
    router: app_router,
    createContext: (...sent) => requestContext(...sent, services),
  });
  const authorizeFile = authorizer({ identify, sessions, limiter: limits.limiter, slots: file_slots });
  app.register(
    async (files) => {
      files.addHook("onRequest", (request, reply) => authorizeFile(request, reply, 1));
      mountFiles(files, services);
    },
    { prefix: "/dashboard" },
  );
}

/** A person's own operations, for sessions only. */
function mountAccount(app: FastifyInstance, mounting: Mounting): void {
  const { admission, limits, services } = mounting;
  mountRouter(app, mounting, {
    prefix: TRPC_PATHS.account,
    authorize: userAuthorizer({ sessions: admission.sessions, ...limits }),
    takes_cookies: true,
    router: account_router,
    createContext: (...sent) => accountContext(...sent, services),
  });
}

/** The operations of affiliates, for sessions of the portal only. */
function mountPortal(app: FastifyInstance, mounting: Mounting): void {
  const { admission, limits, services } = mounting;
  mountRouter(app, mounting, {
    prefix: TRPC_PATHS.portal,
    authorize: portalAuthorizer({ sessions: admission.portal_sessions, ...limits }),
    takes_cookies: true,
    router: portal_router,
    createContext: (...sent) => portalContext(...sent, services),
  });
  // As for the dashboard's files.
  const slots = admission.createSlots({
    total: FILES_IN_FLIGHT,
    organization: FILES_PER_ORGANIZATION,
    milliseconds: Number.POSITIVE_INFINITY,
  });
  const authorizeFile = portalAuthorizer({
    sessions: admission.portal_sessions,
    limiter: limits.limiter,
    slots,
  });
  app.register(
    async (files) => {
      files.addHook("onRequest", neverStore);
      files.addHook("onRequest", (request, reply) => authorizeFile(request, reply, 1));
      servePortalFiles(files, services);
    },
    { prefix: "/portal/files" },
  );
}

/** Serves a router to tRPC clients, behind its authorization. */
function mountRouter(
  app: FastifyInstance,
  { most_calls }: Mounting,
  {
    prefix,
    authorize,
    takes_cookies = false,
    ...surface
  }: TrpcSurface & { prefix: string; authorize: Authorize; takes_cookies?: boolean },
): void {
  app.register(
    async (trpc) => {
      if (takes_cookies) trpc.addHook("onRequest", neverStore);
      trpc.addHook("onRequest", (request, reply) =>
        authorize(request, reply, batchSize(request, most_calls)),
      );
      mountTrpc(trpc, surface);
    },
    { prefix },
  );
}

/** A cache may store the answer to a cookie, unlike that to a key (RFC 9111, 3.5), and then give it to others. */
async function neverStore(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header("cache-control", "no-store");
}
