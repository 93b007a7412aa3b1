import { dashboard } from "./dashboard/router.ts";
import { mergeRouters, router } from "./trpc.ts";
import { v1 } from "./v1/router.ts";

/** Everything that tRPC clients can call: the API, and what is done in the dashboard. */
export const app_router = mergeRouters(v1, router({ dashboard }));

export type AppRouter = typeof app_router;
