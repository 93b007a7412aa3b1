import type { FastifyInstance } from "fastify";
import type { Admission } from "./admission/admission.ts";
import { authorizer, createLimiter } from "./admission/authorize.ts";
import type { ApiConfig } from "./config.ts";
import type { Services } from "./context.ts";
import { acceptJson } from "./json-body.ts";
import { mountRest } from "./mount-rest.ts";
import { batchSize, MAXIMUM_BATCH, mountTrpc } from "./mount-trpc.ts";
import { FILES_IN_FLIGHT, FILES_PER_ORGANIZATION, mountPayoutFiles } from "./payout-files/mount.ts";
import { requireStaff } from "./require-staff.ts";
import { app_router } from "./router.ts";
import { TRPC_PATHS } from "./trpc-paths.ts";
import { v1 } from "./v1/router.ts";

const TRPC_SURFACES = [
  { prefix: TRPC_PATHS.api, router: v1, staff_only: false },
  { prefix: TRPC_PATHS.dashboard, router: app_router, staff_only: true },
];

/** Mounts everything that requires a secret key: REST, tRPC, and the files of payout runs. */
export function mountSurfaces(
  app: FastifyInstance,
  { config, admission, services }: { config: ApiConfig; admission: Admission; services: Services },
): void {
  const { identify, createSlots } = admission;
  const limiter = createLimiter(config);
  const authorize = authorizer({ identify, limiter, slots: createSlots() });
  app.register(
    async (rest) => {
      rest.addHook("onRequest", (request, reply) => authorize(request, reply, 1));
      acceptJson(rest, ({ value }) => value);
      mountRest(rest, { router: v1, services });
    },
    { prefix: "/v1" },
  );
  const { per_key } = config.concurrent_requests;
  // The calls of a batch run concurrently: with fewer slots, a larger batch would never be admitted.
  const most_calls = per_key === 0 ? MAXIMUM_BATCH : Math.min(MAXIMUM_BATCH, per_key);
  for (const { prefix, router, staff_only } of TRPC_SURFACES) {
    app.register(
      async (trpc) => {
        trpc.addHook("onRequest", (request, reply) =>
          authorize(request, reply, batchSize(request, most_calls)),
        );
        if (staff_only) trpc.addHook("onRequest", async ({ principal }) => requireStaff(principal));
        mountTrpc(trpc, { router, services });
      },
      { prefix },
    );
  }
  // A file takes as long as its client; a stalled one ends by `stall_milliseconds`.
  const file_slots = createSlots({
    total: FILES_IN_FLIGHT,
    organization: FILES_PER_ORGANIZATION,
    milliseconds: Number.POSITIVE_INFINITY,
  });
  const authorizeFile = authorizer({ identify, limiter, slots: file_slots });
  app.register(
    async (files) => {
      files.addHook("onRequest", (request, reply) => authorizeFile(request, reply, 1));
      mountPayoutFiles(files, services);
    },
    { prefix: "/dashboard" },
  );
}
