import { dashboard } from "./dashboard-router.ts";
import { mergeRouters, router } from "./trpc/trpc.ts";
import { v1 } from "./v1-router.ts";

/**
 * The dashboard's router at `/trpc`: its own operations and the API. Programs get only `v1`, at `/v1/trpc`.
 */
export const app_router = mergeRouters(v1, router({ dashboard }));

export type AppRouter = typeof app_router;
