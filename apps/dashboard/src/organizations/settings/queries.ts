import { queryOptions } from "@tanstack/react-query";
import type { Session } from "../../session/session.tsx";

/** The second part of the keys of all queries of settings. */
const SETTINGS = "settings";

export const settingsKey = ({ organization }: Session) => [organization.id, SETTINGS];

export function organizationQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "organization"],
    queryFn: ({ signal }) => session.api.dashboard.organization.get.query(undefined, { signal }),
  });
}

export type OrganizationSettings = Awaited<
  ReturnType<Session["api"]["dashboard"]["organization"]["get"]["query"]>
>;

export function payoutSettingsQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "payouts"],
    queryFn: ({ signal }) => session.api.dashboard.settings.get.query(undefined, { signal }),
  });
}

export type PayoutSettings = Awaited<ReturnType<Session["api"]["dashboard"]["settings"]["get"]["query"]>>;

/** The exchange rates that amounts are converted at. */
export function exchangeRatesQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "exchange rates"],
    queryFn: ({ signal }) => session.api.dashboard.exchange_rates.list.query(undefined, { signal }),
  });
}

export type ExchangeRates = Awaited<
  ReturnType<Session["api"]["dashboard"]["exchange_rates"]["list"]["query"]>
>;

/** The next run with the saved settings. */
export function nextRunQuery(session: Session) {
  return queryOptions({
    queryKey: [...settingsKey(session), "next run"],
    queryFn: ({ signal }) => session.api.dashboard.payout_runs.summary.query(undefined, { signal }),
  });
}
