import type { ListDeliveries } from "@findersfee/contract/webhooks/delivery-rows";
import type { DeliveryPosition, DeliveryRowFilter } from "@findersfee/database/webhooks/list-delivery-rows";
import { invalidField } from "../../errors.ts";
import { firstIdOf, isId } from "../../ids.ts";
import { invalidCursor } from "../../pages.ts";

export type DeliveryQuery = Omit<ListDeliveries, "limit" | "cursor">;

/** The statements' filter, but for the time of the attempts. */
export type DeliveryFilter = Omit<DeliveryRowFilter, "attempted">;

const ID_DIGITS = 32;

/** The statements' filter. States that cannot have a row that matches are left out. Errors: `invalid_request`. */
export function deliveryFilter(query: DeliveryQuery): DeliveryFilter {
  const { endpoint_id, type, error_code, status, failed } = query;
  const states = query.states ?? (["pending", "delivered", "exhausted", "canceled"] as const);
  const must_have_failed =
    failed === true || error_code !== undefined || (status !== undefined && !isSuccess(status));
  return {
    ...eventIdRange(query),
    endpoint_id,
    states: must_have_failed ? states.filter((state) => state !== "delivered") : states,
    type,
    error_code,
    status,
    failed,
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The ids of events in a time, and with a beginning: ids begin with the time. Errors: `invalid_request`. */
export function eventIdRange({
  created_from,
  created_until,
  text,
}: Pick<DeliveryQuery, "created_from" | "created_until" | "text">): {
  from_id: string;
  until_id: string;
} {
  const from_ids = [
    idOf(text, "0"),
    ...(created_from === undefined ? [] : [firstIdOf(new Date(created_from))]),
  ];
  const until_ids = [
    idOf(text, "f"),
    ...(created_until === undefined ? [] : [firstIdOf(new Date(created_until))]),
  ];
  return { from_id: from_ids.sort().at(-1) ?? "", until_id: until_ids.sort()[0] ?? "" };
}

/** The first or the last id that begins with a text. */
function idOf(beginning = "", digit: "0" | "f"): string {
  const digits = beginning.toLowerCase().replaceAll("-", "");
  const id = digits.padEnd(ID_DIGITS, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  if (!isId(id)) throw invalidField("text", "Must be the beginning of an event id.");
  return id;
}

export function deliveryCursor({ event_id, endpoint_id }: DeliveryPosition): string {
  return `${event_id}.${endpoint_id}`;
}

/** The inverse of `deliveryCursor`. Errors: `invalid_request`. */
export function readDeliveryCursor(cursor: string | undefined): DeliveryPosition | null {
  if (cursor === undefined) return null;
  const [event_id = "", endpoint_id = ""] = cursor.split(".");
  if (!isId(event_id) || !isId(endpoint_id)) throw invalidCursor();
  return { event_id, endpoint_id };
}
