import { Card } from "@findersfee/ui/components/card";
import { useClock } from "@findersfee/ui/components/clock";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { formatCount } from "@findersfee/ui/formats/counts";
import { formatMonth, formatShortMonth } from "@findersfee/ui/formats/dates";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { type Session, useSession } from "../../session/session.tsx";
import { page_texts, texts } from "./texts.ts";

type Retention = Awaited<ReturnType<Session["api"]["dashboard"]["analytics"]["retention"]["query"]>>;

/** How many of an affiliate's customers pay again, by the month of their first payment. */
export function RetentionCard({ affiliate_id }: { affiliate_id: string }) {
  const { api, organization } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: [organization.id, "retention", affiliate_id],
    queryFn: ({ signal }) => api.dashboard.analytics.retention.query({ affiliate_id }, { signal }),
  });
  return (
    <Card title={page_texts.retention}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows rows={4} label={texts.loading} />
      ) : data.cohorts.length === 0 ? (
        <p className="text-table text-muted">{page_texts.no_retention}</p>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Cohorts cohorts={data.cohorts} />
          <p className="text-meta text-muted">
            {page_texts.retention_hint}
            {data.is_cut && ` ${page_texts.retention_cut}`}
          </p>
        </div>
      )}
    </Card>
  );
}

/** Darker for more customers. */
const SHADES = [
  "",
  "bg-accent-line/8",
  "bg-accent-line/14",
  "bg-accent-line/20",
  "bg-accent-line/26",
  "bg-accent-line/32",
];

const shadeOf = (share: number) => SHADES[Math.ceil(share * (SHADES.length - 1))] ?? "";

function Cohorts({ cohorts }: Pick<Retention, "cohorts">) {
  const clock = { ...useClock(), time_zone: "UTC" };
  const dateOf = (month: string) => new Date(`${month}-01`);
  const columns = Math.max(...cohorts.map(({ paid }) => paid.length));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="overflow-x-auto" tabIndex={0} aria-label={page_texts.retention}>
      <table
        aria-label={page_texts.retention}
        className="border-separate border-spacing-0.5 text-table tabular-nums"
      >
        <thead className="text-meta text-muted">
          <tr>
            <th scope="col" className="sticky left-0 bg-page pr-3 text-left font-medium whitespace-nowrap">
              {page_texts.first_payment}
            </th>
            <th scope="col" className="px-2 text-right font-medium">
              {page_texts.customers}
            </th>
            {Array.from({ length: columns - 1 }, (_, index) => (
              <th key={index + 1} scope="col" className="px-2 text-right font-medium whitespace-nowrap">
                {page_texts.month_later(formatCount(index + 1))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cohorts.map(({ month, paid: [all = 0, ...later] }) => (
            <tr key={month}>
              <th
                scope="row"
                title={formatMonth(dateOf(month), clock)}
                className="sticky left-0 bg-page pr-3 text-left font-normal whitespace-nowrap"
              >
                {formatShortMonth(dateOf(month), clock)}
              </th>
              <td className="px-2 py-1 text-right font-medium">{formatCount(all)}</td>
              {later.map((customers, index) => (
                <td
                  key={index}
                  title={page_texts.paid_again(formatCount(customers), formatCount(all))}
                  className={`min-w-14 rounded-control px-2 py-1 text-right ${shadeOf(customers / Math.max(all, 1))}`}
                >
                  {Math.round((customers / Math.max(all, 1)) * 100)}%
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
