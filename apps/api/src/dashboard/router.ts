import { router } from "../trpc.ts";
import { deliveries } from "./deliveries.ts";
import { endpoints } from "./endpoints.ts";
import { replays } from "./replays.ts";

/** What is done in the dashboard and not through the API: on tRPC only, and not for API keys. */
export const dashboard = router({ endpoints, deliveries, replays });
