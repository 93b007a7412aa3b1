import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../../lists/search.ts";
import { IDLE_MILLISECONDS, live } from "../../requests/live.ts";
import type { RowPage } from "../../requests/row-page.ts";
import type { Session } from "../../session/session.tsx";
import { ERROR_CODES } from "../endpoints/error-names.ts";
import { EVENT_TYPES } from "../endpoints/event-types.ts";
import { FAILED } from "./search.ts";

type Procedures = Session["api"]["dashboard"]["deliveries"];

export type DeliverySearch = Search<ListField | "state" | "type" | "error">;

export type DeliveryRow = Awaited<ReturnType<Procedures["list"]["query"]>>["data"][number];

type DeliveryPage = RowPage<DeliveryRow>;

export type DeliveryDetail = Awaited<ReturnType<Procedures["get"]["query"]>>;

export type DeliveryCounts = Awaited<ReturnType<Procedures["counts"]["query"]>>;

/** Whether a delivery is being sent, so that it changes at once. */
export function isBeingSent({
  state,
  next_attempt_at,
}: Pick<DeliveryRow, "state" | "next_attempt_at">): boolean {
  return state === "pending" && (next_attempt_at === null || Date.parse(next_attempt_at) <= Date.now());
}

/* All keys begin like those of the endpoints: a change of an endpoint changes its deliveries. */

const STATES = ["pending", "delivered", "exhausted", "canceled"] as const;

/** The service's filter for an address. */
export function filterOf(endpoint_id: string, { text, state, type, error, period }: DeliverySearch) {
  const chosen = STATES.filter((item) => item === state);
  return {
    endpoint_id,
    text,
    states: chosen.length === 0 ? undefined : chosen,
    failed: state === FAILED ? true : undefined,
    type: EVENT_TYPES.find((item) => item === type),
    error_code: ERROR_CODES.find((item) => item === error),
    created_from: startOfPeriod(period),
    created_until: endOfPeriod(period),
  };
}

export function deliveriesQuery({ api, organization }: Session, endpoint_id: string, search: DeliverySearch) {
  const { after, rows } = search;
  const input = { ...filterOf(endpoint_id, search), limit: Number(rows ?? 50), cursor: after };
  return queryOptions({
    queryKey: [organization.id, "endpoints", "deliveries", input],
    queryFn: async ({ signal }): Promise<DeliveryPage> => {
      const { data, pagination } = await api.dashboard.deliveries.list.query(input, { signal });
      return { data, newer: null, older: pagination.next_cursor };
    },
    placeholderData: keepPreviousData,
    refetchInterval: live<unknown>(() => after === undefined),
  });
}

export function deliveryRowCounts(session: Session, endpoint_id: string, search: DeliverySearch): Counts {
  const { deliveries } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof filterOf>>) =>
    countQuery(session, { area: "endpoints", filters, count: deliveries.count.query });
  return { matching: of(filterOf(endpoint_id, search)), all: of({ endpoint_id }) };
}

/** Counts the deliveries of the last 24 hours by default. */
export function deliveryCountsQuery({ api, organization }: Session, endpoint_id: string, hours?: number) {
  return queryOptions({
    queryKey: [organization.id, "endpoints", "delivery-counts", endpoint_id, hours],
    queryFn: ({ signal }) => api.dashboard.deliveries.counts.query({ endpoint_id, hours }, { signal }),
    refetchInterval: IDLE_MILLISECONDS,
  });
}

export function deliveryQuery(
  { api, organization }: Session,
  { endpoint_id, event_id }: { endpoint_id: string; event_id: string },
) {
  return queryOptions({
    queryKey: [organization.id, "endpoints", "delivery", endpoint_id, event_id],
    queryFn: ({ signal }) => api.dashboard.deliveries.get.query({ endpoint_id, event_id }, { signal }),
    refetchInterval: live<DeliveryDetail>(isBeingSent),
  });
}
