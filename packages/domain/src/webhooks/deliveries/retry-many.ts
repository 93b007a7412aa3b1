import type { DeliveryId } from "@findersfee/contract/webhooks/deliveries";
import {
  MAX_RETRIED,
  type RetriedDeliveries,
  type RetryDeliveries,
} from "@findersfee/contract/webhooks/delivery-rows";
import type { Connection } from "@findersfee/database/postgres/connect";
import { makeManyDue } from "@findersfee/database/webhooks/deliveries";
import { holdEndpoints } from "@findersfee/database/webhooks/endpoints";
import type { DeliveryPosition } from "@findersfee/database/webhooks/list-delivery-rows";
import type { Context } from "../../context.ts";
import { invalidField, notFound } from "../../errors.ts";
import { inTransaction } from "../../transaction.ts";
import { deliveryCursor, readDeliveryCursor } from "./filter.ts";
import { findDeliveries } from "./list.ts";

/**
 * Sends deliveries now: those that are named, or the first ones of a list. Those to disabled endpoints are skipped. Errors:
 * `not_found` when a named endpoint or event does not exist; `invalid_request` without deliveries and a filter, or with both.
 */
export async function retryDeliveries(context: Context, input: RetryDeliveries): Promise<RetriedDeliveries> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    const { asked, next } = await askedFor(sql, organization_id, input);
    const ids = new Set(asked.map(({ endpoint_id }) => endpoint_id));
    const endpoints = await holdEndpoints(sql, organization_id, [...ids]);
    const is_named = input.filter === undefined;
    if (is_named && endpoints.length < ids.size) throw notFound("endpoint");
    const enabled = new Set(endpoints.filter((one) => one.enabled).map(({ id }) => id));
    const sent = asked.filter(({ endpoint_id }) => enabled.has(endpoint_id));
    const retried = sent.length === 0 ? 0 : await makeManyDue(sql, organization_id, sent);
    if (is_named && retried < sent.length) throw notFound("event");
    const next_cursor = next === null ? null : deliveryCursor(next);
    return { retried, skipped: asked.length - retried, next_cursor };
  });
}

async function askedFor(
  sql: Connection,
  organizationId: string,
  { deliveries, filter, cursor }: RetryDeliveries,
): Promise<{ asked: DeliveryId[]; next: DeliveryPosition | null }> {
  if ((deliveries === undefined) === (filter === undefined)) {
    throw invalidField("deliveries", "Send either deliveries or filter.");
  }
  if (filter === undefined) return { asked: unique(deliveries ?? []), next: null };
  const after = readDeliveryCursor(cursor);
  const { rows, next } = await findDeliveries(sql, organizationId, {
    query: filter,
    after,
    limit: MAX_RETRIED,
  });
  return { asked: rows, next };
}

function unique(deliveries: readonly DeliveryId[]): DeliveryId[] {
  const named = deliveries.map(({ event_id, endpoint_id }) => ({
    event_id: event_id.toLowerCase(),
    endpoint_id: endpoint_id.toLowerCase(),
  }));
  return [...new Map(named.map((one) => [deliveryCursor(one), one])).values()];
}
