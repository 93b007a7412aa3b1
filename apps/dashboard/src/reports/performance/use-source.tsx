import type { OwnPerformanceRow, PerformanceDimension } from "@findersfee/contract/reports/performance";
import { ButtonLink } from "@findersfee/ui/components/button";
import { dayIn } from "@findersfee/ui/lists/days";
import type { PerformanceSource } from "@findersfee/ui/performance/context";
import type { PerformanceSearch } from "@findersfee/ui/performance/fields";
import { DIMENSIONS, METRICS, readCurrency } from "@findersfee/ui/performance/search";
import { download } from "../../requests/download.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useUsableMark } from "../../requests/usable.ts";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { CurrencyMenu } from "../currency-menu.tsx";
import { texts } from "./texts.ts";

/** The campaign or affiliate of the report; without one, it is the organization's. */
export type Scope = { campaign_id: string } | { affiliate_id: string };

interface Address {
  hrefWith: (changes: PerformanceSearch) => string;
  change: (changes: PerformanceSearch) => void;
}

/** The report of the organization, a campaign or an affiliate. */
export function useDashboardSource(
  search: PerformanceSearch,
  { hrefWith, change }: Address,
  scope?: Scope,
): PerformanceSource {
  const { api, organization, home } = useSession();
  const currency = readCurrency(search.currency, organization.currency);
  const { analytics } = api.dashboard;
  return {
    texts,
    dimensions: DIMENSIONS.filter((dimension) => isShown(dimension, scope)),
    metrics: METRICS,
    first_metric: "revenue_amount",
    search,
    hrefWith,
    change,
    today: dayIn(organization.time_zone, new Date()),
    time_zone: organization.time_zone,
    currency,
    query_key: [organization.id, "performance", scope ?? null],
    readTable: (query, signal) => analytics.performance.query({ ...query, ...scope }, { signal }),
    readSeries: (query, signal) => analytics.performance_series.query({ ...query, ...scope }, { signal }),
    saveFile: (query) =>
      download(
        organization.id,
        `/dashboard/performance.csv?${new URLSearchParams({ ...query, ...scope }).toString()}`,
      ),
    failure: (error, retry) => <FailureNotice error={error} onRetry={retry} />,
    linkTo: (row, dimension) => addressOf(row, dimension, { home, search }),
    controls: <CurrencyMenu currency={currency} onChange={(code) => change({ currency: code })} />,
    first_step: <ButtonLink to={`${home}/get-started`}>{shell_texts.get_started}</ButtonLink>,
    useUsable: useUsableMark,
  };
}

/** An affiliate has one campaign, and a campaign is one. */
function isShown(dimension: PerformanceDimension, scope: Scope | undefined): boolean {
  if (scope === undefined) return true;
  return dimension !== "campaign" && (dimension !== "affiliate" || "campaign_id" in scope);
}

/** The performance of the affiliate or campaign of a row, in the same period. */
function addressOf(
  { value }: OwnPerformanceRow,
  dimension: PerformanceDimension,
  { home, search: { period, currency } }: { home: string; search: PerformanceSearch },
): string | null {
  const same = new URLSearchParams({
    ...(period === undefined ? {} : { period }),
    ...(currency === undefined ? {} : { currency }),
  });
  if (dimension === "affiliate") return `${home}/affiliates/${value}?tab=performance&${same.toString()}`;
  return dimension === "campaign" ? `${home}/campaigns/${value}/performance?${same.toString()}` : null;
}
