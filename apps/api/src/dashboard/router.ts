import { router } from "../trpc.ts";
import { deliveries } from "./deliveries.ts";
import { endpoints } from "./endpoints.ts";
import { replays } from "./replays.ts";

/** What is done in the dashboard and not through the API (spec.md, Delivery): on tRPC only. */
export const dashboard = router({ endpoints, deliveries, replays });
