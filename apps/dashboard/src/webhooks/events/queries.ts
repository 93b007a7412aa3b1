import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../../lists/search.ts";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";
import { isBeingSent } from "../deliveries/queries.ts";
import { EVENT_TYPES } from "../endpoints/event-types.ts";

type Procedures = Session["api"]["dashboard"]["events"];

export type EventRow = Awaited<ReturnType<Procedures["list"]["query"]>>["data"][number];

export type EventDetail = Awaited<ReturnType<Procedures["get"]["query"]>>;

/** The second part of the keys of all queries of events. */
export const EVENTS = "events";

export function eventsQuery({ api, organization }: Session, search: Search<ListField | "type">) {
  const { after, rows } = search;
  const input = { limit: Number(rows ?? 50), cursor: after, ...eventFilters(search) };
  return queryOptions({
    queryKey: [organization.id, EVENTS, "list", input],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api.dashboard.events.list.query(input, { signal });
      return { data, newer: null, older: pagination.next_cursor };
    },
    placeholderData: keepPreviousData,
    refetchInterval: live<unknown>(() => after === undefined),
  });
}

/** The filters of the address, for the list and its count. */
export function eventFilters({ text, type, period }: Search<ListField | "type">) {
  return {
    text,
    type: EVENT_TYPES.find((item) => item === type),
    created_from: startOfPeriod(period),
    created_until: endOfPeriod(period),
  };
}

export function eventCounts(session: Session, search: Search<ListField | "type">): Counts {
  const { events } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof eventFilters>>) =>
    countQuery(session, { area: EVENTS, filters, count: events.count.query });
  return { matching: of(eventFilters(search)), all: of({}) };
}

export function eventQuery({ api, organization }: Session, id: string) {
  return queryOptions({
    queryKey: [organization.id, EVENTS, "one", id],
    queryFn: ({ signal }) => api.dashboard.events.get.query({ id }, { signal }),
    refetchInterval: live(({ deliveries }: EventDetail) => deliveries.some(isBeingSent)),
  });
}
