import { addDays, addMonths, startOf } from "@findersfee/contract/reports/periods";
import { Lines } from "@findersfee/ui/charts/lines";
import { Card } from "@findersfee/ui/components/card";
import { useClock } from "@findersfee/ui/components/clock";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { formatMonth, formatShortMonth } from "@findersfee/ui/formats/dates";
import { dayIn } from "@findersfee/ui/lists/days";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { page_texts, texts } from "./texts.ts";

const MONTHS = 12;

const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** A campaign's commissions as a share of its revenue, by month. */
export function CostCard({ campaign_id, currency }: { campaign_id: string; currency: string }) {
  const { api, organization } = useSession();
  const clock = { ...useClock(), time_zone: "UTC" };
  const today = dayIn(organization.time_zone, new Date());
  const input = {
    dimension: "affiliate" as const,
    campaign_id,
    from: addMonths(startOf(today, "month"), 1 - MONTHS),
    until: addDays(today, 1),
    unit: "month" as const,
    currency,
  };
  const { data, error, refetch } = useQuery({
    queryKey: [organization.id, "cost", input],
    queryFn: ({ signal }) => api.dashboard.analytics.performance_series.query(input, { signal }),
  });
  const points = data?.series[0]?.points ?? [];
  const has_revenue = points.some(({ revenue_amount }) => revenue_amount > 0);
  const format = (value: number | null) => (value === null ? page_texts.no_revenue : percent.format(value));
  const revenue = points.reduce((sum, point) => sum + point.revenue_amount, 0);
  const commission = points.reduce((sum, point) => sum + point.commission_amount, 0);
  return (
    <Card>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={4} label={texts.loading} />
      ) : has_revenue ? (
        <Lines
          title={page_texts.cost}
          summary={page_texts.cost_summary(percent.format(commission / revenue))}
          caption={page_texts.cost_hint(percent.format(commission / revenue), currency)}
          formatValue={format}
          formatTick={format}
          labels={points.map(({ day }) => ({
            label: formatMonth(new Date(day), clock),
            axis_label: formatShortMonth(new Date(day), clock),
            is_open: day.slice(0, 7) === today.slice(0, 7),
          }))}
          lines={[
            {
              key: "cost",
              label: page_texts.cost_line,
              points: points.map(({ commission_amount, revenue_amount }) => ({
                value: revenue_amount > 0 ? commission_amount / revenue_amount : null,
              })),
            },
          ]}
        />
      ) : (
        <>
          <h2 className="mb-2 font-semibold">{page_texts.cost}</h2>
          <p className="text-table text-muted">{page_texts.no_cost(currency)}</p>
        </>
      )}
    </Card>
  );
}
