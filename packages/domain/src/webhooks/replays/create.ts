import type { CreateReplay, Replay } from "@findersfee/contract/webhooks/deliveries";
import { insertReplay } from "@findersfee/database/webhooks/replays";
import { notifyWorkers } from "@findersfee/database/work/shards";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { requireLockedEndpoint } from "../endpoints/get.ts";
import { viewReplay } from "./view.ts";

/**
 * Creates a replay: the workers deliver all events that failed at an endpoint in a time range again, in steps. Errors:
 * `not_found` (endpoint); `invalid_request` when it is disabled.
 */
export async function createReplay(context: Context, input: CreateReplay): Promise<Replay> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const endpoint = await requireLockedEndpoint(sql, organization_id, input.endpoint_id);
    if (!endpoint.enabled) {
      throw new DomainError("invalid_request", { message: "The endpoint is disabled; enable it first." });
    }
    const created_at = new Date();
    const replay = {
      id: newId(created_at),
      endpoint_id: input.endpoint_id,
      kind: "failed",
      events_from: new Date(input.events_from),
      events_to: new Date(input.events_to),
      created_at,
    } as const;
    await insertReplay(sql, organization_id, replay);
    await notifyWorkers(sql, "replays", [organization_id]);
    return viewReplay({
      ...replay,
      organization_id,
      after_event_id: null,
      deliveries: 0,
      finished_at: null,
      stopped_at: null,
    });
  });
}
