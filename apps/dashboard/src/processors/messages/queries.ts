import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ListField, type Search, startOfPeriod } from "../../lists/search.ts";
import { live } from "../../requests/live.ts";
import type { Session } from "../../session/session.tsx";

type Procedures = Session["api"]["dashboard"]["processor_messages"];

export type MessageRow = Awaited<ReturnType<Procedures["list"]["query"]>>["data"][number];

export type MessageDetail = Awaited<ReturnType<Procedures["get"]["query"]>>;

export type MessageSearch = Search<ListField | "state" | "processor" | "type">;

/** The second part of the keys of all queries of messages. */
export const MESSAGES = "messages";

const STATES = ["parked", "received", "done", "skipped"] as const;
const PROCESSORS = ["stripe", "generic"] as const;

/** Messages, newest first; without a filter, the dead-lettered ones come first. */
export function messagesQuery({ api, organization }: Session, search: MessageSearch) {
  const { text, after, state, processor, type, rows, period } = search;
  const input = {
    limit: Number(rows ?? 50),
    text,
    cursor: after,
    state: STATES.find((item) => item === state),
    processor: PROCESSORS.find((item) => item === processor),
    type,
    received_from: startOfPeriod(period),
  };
  const is_first = [text, after, state, type, period].every((item) => item === undefined);
  const list = (changes: { state?: "parked" }, signal: AbortSignal) =>
    api.dashboard.processor_messages.list.query({ ...input, ...changes }, { signal });
  return queryOptions({
    queryKey: [organization.id, MESSAGES, "list", input],
    queryFn: async ({ signal }) => {
      const [dead_lettered, all] = await Promise.all([
        is_first ? list({ state: "parked" }, signal) : null,
        list({}, signal),
      ]);
      const others = dead_lettered === null ? all.data : all.data.filter((item) => item.state !== "parked");
      return {
        data: [...(dead_lettered?.data ?? []), ...others],
        newer: null,
        older: all.pagination.next_cursor,
      };
    },
    placeholderData: keepPreviousData,
    refetchInterval: live<unknown>(() => after === undefined),
  });
}

export function messageCountsQuery({ api, organization }: Session) {
  return queryOptions({
    queryKey: [organization.id, MESSAGES, "counts"],
    queryFn: ({ signal }) => api.dashboard.processor_messages.counts.query({}, { signal }),
    refetchInterval: live<unknown>(() => true),
  });
}

interface MessageKey {
  processor: "stripe" | "generic";
  id: string;
}

export function messageQuery({ api, organization }: Session, key: MessageKey) {
  return queryOptions({
    queryKey: [organization.id, MESSAGES, "one", key],
    queryFn: ({ signal }) => api.dashboard.processor_messages.get.query(key, { signal }),
    refetchInterval: live(({ state }: MessageDetail) => state === "received"),
  });
}

/** Only admins may read it, and it never changes. */
export function messageBodyQuery({ api, organization }: Session, key: MessageKey) {
  return queryOptions({
    queryKey: [organization.id, "message-bodies", key],
    queryFn: ({ signal }) => api.dashboard.processor_messages.body.query(key, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
