import type { ErrorObject } from "@findersfee/contract/errors";
import { controlClass } from "@findersfee/ui/components/controls";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { dayIn } from "@findersfee/ui/lists/days";
import { useNavigation } from "@findersfee/ui/navigation";
import type { PerformanceSource } from "@findersfee/ui/performance/context";
import { type Metric, readCurrency, readPerformanceSearch } from "@findersfee/ui/performance/search";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { RequestFailed } from "@findersfee/ui/requests/failure";
import { readJson, send } from "@findersfee/ui/requests/fetch-json";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSearch } from "wouter";
import { useTexts } from "../language/language.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { programQuery } from "../session/program.ts";
import { useSession } from "../session/session.tsx";
import { Page } from "../shell/page.tsx";
import { homeQuery } from "./queries.ts";

// Its requests wait for the page's.
const PerformanceReport = lazyPart(async () => {
  const { PerformanceReport } = await import("@findersfee/ui/performance/report");
  return { Report: PerformanceReport<Dimension> };
}, "Report");

const PERFORMANCE_PATH = "/earnings/performance";

/** Without revenue: campaigns may hide customers' payments. */
const SHOWN: readonly Metric[] = [
  "clicks",
  "signups",
  "conversions",
  "commission_amount",
  "conversion_rate",
  "earnings_per_click",
  "lost_amount",
  "refunds",
];

const OWN_DIMENSIONS = [
  "link",
  "landing_page",
  "referrer",
  "sub_id",
  "visitor_country",
  "customer_country",
] as const;

type Dimension = (typeof OWN_DIMENSIONS)[number];

/** The results of the affiliate's links, pages, referrers, sub-ids and countries. */
export function PerformancePage() {
  const { performance, frame } = useTexts();
  const { program, api } = useSession();
  const { affiliate_id, organization_name } = program;
  const figures = useQuery(homeQuery(api, affiliate_id));
  const terms = useQuery(programQuery(api, affiliate_id));
  const error = figures.error ?? terms.error;
  return (
    <Page title={performance.title} document_title={`${performance.title} · ${organization_name}`}>
      {error !== null && (
        <FailureNotice
          error={error}
          onRetry={() => {
            void figures.refetch();
            void terms.refetch();
          }}
        />
      )}
      {figures.data === undefined || terms.data === undefined ? (
        error === null && <SkeletonRows label={frame.loading} />
      ) : (
        <Report
          time_zone={figures.data.last_days.time_zone}
          currencies={[
            ...new Set([
              terms.data.organization.currency,
              ...figures.data.payouts.currencies.map(({ currency }) => currency),
              ...figures.data.last_days.earned.map(({ currency }) => currency),
            ]),
          ]}
        />
      )}
    </Page>
  );
}

interface ReportProps {
  time_zone: string;
  /** The organization's own first. */
  currencies: readonly string[];
}

function Report({ time_zone, currencies }: ReportProps) {
  const { performance } = useTexts();
  const { me, program, api, is_embedded } = useSession();
  const { navigate } = useNavigation();
  const search = readPerformanceSearch(useSearch());
  const currency = readCurrency(search.currency, currencies[0] ?? "USD");
  const hrefWith: PerformanceSource["hrefWith"] = (changes) => {
    const all = Object.entries({ ...search, ...changes }).filter(
      (pair): pair is [string, string] => pair[1] !== undefined,
    );
    const query = new URLSearchParams(all).toString();
    return query === "" ? PERFORMANCE_PATH : `${PERFORMANCE_PATH}?${query}`;
  };
  const change: PerformanceSource["change"] = (changes) => navigate(hrefWith(changes));
  const source: PerformanceSource<Dimension> = {
    texts: performance.report,
    dimensions: OWN_DIMENSIONS,
    metrics: SHOWN,
    first_metric: "clicks",
    search,
    hrefWith,
    change,
    today: dayIn(time_zone, new Date()),
    time_zone,
    currency,
    query_key: ["performance", program.affiliate_id],
    readTable: ({ sort, ...query }, signal) =>
      // No affiliate sees sums of revenue.
      api.performance.get.query({ ...query, ...(sort === "revenue_amount" ? {} : { sort }) }, { signal }),
    readSeries: (query, signal) => api.performance.series.query(query, { signal }),
    failure: (error, retry) => <FailureNotice error={error} onRetry={retry} />,
    useUsable,
    ...(currencies.length > 1
      ? {
          controls: (
            <span className="w-28">
              <select
                aria-label={performance.currency}
                value={currency}
                onChange={({ target }) =>
                  change({ currency: target.value === currencies[0] ? undefined : target.value })
                }
                className={controlClass}
              >
                {currencies.map((code) => (
                  <option key={code}>{code}</option>
                ))}
              </select>
            </span>
          ),
        }
      : {}),
    // Files are the affiliate's own, and need the cookie.
    ...(is_embedded || me.by_staff
      ? {}
      : { saveFile: (query) => save(program.affiliate_id, new URLSearchParams({ ...query })) }),
  };
  return (
    <Suspense fallback={<SkeletonRows label={performance.report.loading} />}>
      <PerformanceReport source={source} />
    </Suspense>
  );
}

function useUsable(): void {}

/** Not a plain link, which would save the text of an error as the file. */
async function save(affiliate_id: string, query: URLSearchParams): Promise<void> {
  const path = `${APPLICATION_PATH}/files/${affiliate_id}/performance.csv?${query.toString()}`;
  const response = await send(path);
  if (!response.ok) {
    const { error } = await readJson<{ error: ErrorObject }>(response);
    throw new RequestFailed(response, error ?? null);
  }
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = url;
  link.download = "performance.csv";
  link.click();
  URL.revokeObjectURL(url);
}
