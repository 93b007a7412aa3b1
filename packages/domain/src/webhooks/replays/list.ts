import type { Replay } from "@findersfee/contract/webhooks/deliveries";
import { listReplays as listRows } from "@findersfee/database/webhooks/replays";
import type { Context } from "../../context.ts";
import { requireEndpoint } from "../endpoints/get.ts";
import { viewReplay } from "./view.ts";

const LIMIT = 100;

/** An endpoint's last replays, newest first. Errors: `not_found` (endpoint). */
export async function listReplays(
  { database, organization }: Context,
  endpoint_id: string,
): Promise<Replay[]> {
  await requireEndpoint(database, organization.id, endpoint_id);
  return (await listRows(database, organization.id, { endpoint_id, limit: LIMIT })).map(viewReplay);
}
