import type { AuditResource } from "@findersfee/contract/audit-log";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Counts, countQuery } from "../lists/count-query.ts";
import { endOfPeriod, type ListField, type Search, startOfPeriod } from "../lists/search.ts";
import type { Session } from "../session/session.tsx";
import { RESOURCES } from "./texts.ts";

export type { AuditEntry } from "@findersfee/contract/audit-log";
export type { MemberSecurityEvent } from "@findersfee/contract/identity/security-events";

export type HistorySearch = Search<ListField | "kind" | "thing" | "by" | "part">;

const isResource = (kind: string | undefined): kind is AuditResource =>
  kind !== undefined && Object.hasOwn(RESOURCES, kind);

/** The filters of the list, which the export has, too. */
export function historyFilters({ kind, thing, by, period }: HistorySearch) {
  return {
    resource: isResource(kind) ? kind : undefined,
    resource_id: thing,
    actor: by,
    from: startOfPeriod(period),
    until: endOfPeriod(period),
  };
}

export function historyQuery({ api, organization }: Session, search: HistorySearch) {
  const { after, rows } = search;
  const input = { limit: Number(rows ?? 50), cursor: after, ...historyFilters(search) };
  return queryOptions({
    queryKey: [organization.id, "history", input],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api.dashboard.changes.list.query(input, { signal });
      return { data, newer: null, older: pagination.next_cursor };
    },
    placeholderData: keepPreviousData,
  });
}

export function historyCounts(session: Session, search: HistorySearch): Counts {
  const { changes } = session.api.dashboard;
  const of = (filters: Partial<ReturnType<typeof historyFilters>>) =>
    countQuery(session, { area: "history", filters, count: changes.count.query });
  return { matching: of(historyFilters(search)), all: of({}) };
}

/** The security events of members, for owners. */
export function securityQuery({ api, organization }: Session, { by, after, rows }: HistorySearch) {
  const input = {
    limit: Number(rows ?? 50),
    cursor: after,
    user_id: by?.startsWith("user ") ? by.slice("user ".length) : undefined,
  };
  return queryOptions({
    queryKey: [organization.id, "security events", input],
    queryFn: async ({ signal }) => {
      const { data, pagination } = await api.dashboard.security_events.list.query(input, { signal });
      return { data, newer: null, older: pagination.next_cursor };
    },
    placeholderData: keepPreviousData,
  });
}
