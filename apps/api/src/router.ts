import { dashboard } from "./dashboard/router.ts";
import { mergeRouters, router } from "./trpc.ts";
import { v1 } from "./v1/router.ts";

/** What the dashboard calls at `/trpc`: its own operations and the API. Programs get `v1` alone, at `/v1/trpc`. */
export const app_router = mergeRouters(v1, router({ dashboard }));

export type AppRouter = typeof app_router;
