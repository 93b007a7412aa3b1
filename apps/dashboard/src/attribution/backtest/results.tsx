import { Lines } from "@findersfee/ui/charts/lines";
import { Card } from "@findersfee/ui/components/card";
import { useClock } from "@findersfee/ui/components/clock";
import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { formatDay, formatMonth, formatShortMonth } from "@findersfee/ui/formats/dates";
import { formatMoney, formatMoneyShort } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import { Breakdown, type BreakdownColumn } from "../../lists/breakdown.tsx";
import { ownCurrencyFirst } from "../../session/own-currency-first.ts";
import { useSession } from "../../session/session.tsx";
import { labels } from "../outcome-texts.ts";
import type { BacktestResult } from "./queries.ts";
import { texts } from "./texts.ts";

type Month = BacktestResult["months"][number];
type AffiliateCost = BacktestResult["losing"][number];
type ReviewCost = BacktestResult["reviews"][number];
type Example = BacktestResult["examples"][number];

/** The cost of a draft, and the affiliates that it concerns. */
export function BacktestResults({ result }: { result: BacktestResult }) {
  const { payments, changed_payments, months, losing, gaining, examples, reviews } = result;
  if (payments === 0) {
    return (
      <Notice tone="info" title={texts.none}>
        {texts.none_hint}
      </Notice>
    );
  }
  const { organization } = useSession();
  const own_first = ownCurrencyFirst(months, organization.currency);
  const currencies = [...new Set(own_first.map(({ currency }) => currency))];
  return (
    <>
      <p role="status" className="font-medium">
        {texts.changed(changed_payments, payments)}
      </p>
      <Gaps result={result} />
      {currencies.map((currency) => (
        <Cost
          key={currency}
          currency={currency}
          months={months.filter((month) => month.currency === currency)}
        />
      ))}
      {reviews.length > 0 && (
        <Card title={texts.reviews}>
          <Reviews rows={ownCurrencyFirst(reviews, organization.currency)} />
        </Card>
      )}
      <Card title={texts.losing}>
        <Affiliates rows={losing} />
      </Card>
      <Card title={texts.gaining}>
        <Affiliates rows={gaining} />
      </Card>
      {examples.length > 0 && (
        <Card title={texts.examples}>
          <Examples rows={examples} />
        </Card>
      )}
    </>
  );
}

function Gaps({ result: { unrecorded_metadata, payments_without_interval } }: { result: BacktestResult }) {
  const clock = useClock();
  if (unrecorded_metadata.length === 0 && payments_without_interval === 0) return null;
  return (
    <Notice tone="warn" title={texts.incomplete}>
      <ul className="grid gap-1">
        {unrecorded_metadata.map(({ key, recorded_since }) => (
          <li key={key}>
            {texts.unrecorded(
              key,
              recorded_since === null ? null : formatDay(new Date(recorded_since), clock),
            )}
          </li>
        ))}
        {payments_without_interval > 0 && <li>{texts.without_interval(payments_without_interval)}</li>}
      </ul>
    </Notice>
  );
}

function Cost({ currency, months }: { currency: string; months: readonly Month[] }) {
  const clock = { ...useClock(), time_zone: "UTC" };
  const sumOf = (field: "before_amount" | "after_amount") =>
    months.reduce((sum, month) => sum + month[field], 0);
  const [before, after] = [sumOf("before_amount"), sumOf("after_amount")];
  const money = (amount: number | null) => formatMoney(amount ?? 0, currency);
  const firstOf = ({ month }: Month) => new Date(`${month}-01T00:00:00Z`);
  return (
    <Card>
      <dl className="mb-4 grid gap-x-8 gap-y-3 tabular-nums wide:grid-cols-3">
        <Figure label={texts.before} value={money(before)} />
        <Figure label={texts.after} value={money(after)} />
        <Figure label={texts.difference} value={signed(after - before, currency)} />
      </dl>
      <Lines
        title={texts.cost}
        summary={texts.cost_summary(money(before), money(after))}
        caption={texts.cost_caption(currency)}
        formatValue={money}
        formatTick={(amount) => formatMoneyShort(amount, currency)}
        labels={months.map((month) => ({
          label: formatMonth(firstOf(month), clock),
          axis_label: formatShortMonth(firstOf(month), clock),
          is_open: false,
        }))}
        lines={[
          {
            key: "after",
            label: texts.after,
            points: months.map(({ after_amount }) => ({ value: after_amount })),
          },
          {
            key: "before",
            label: texts.before,
            points: months.map(({ before_amount }) => ({ value: before_amount })),
          },
        ]}
      />
    </Card>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-table text-muted">{label}</dt>
      <dd className="text-lead font-semibold">{value}</dd>
    </div>
  );
}

/** `+$12.00` or `−$12.00`. */
function signed(amount: number, currency: string): string {
  const text = formatMoney(Math.abs(amount), currency);
  if (amount === 0) return text;
  return amount > 0 ? `+${text}` : `−${text}`;
}

function Affiliates({ rows }: { rows: readonly AffiliateCost[] }) {
  const { home } = useSession();
  if (rows.length === 0) return <p className="text-table text-muted">{texts.nobody}</p>;
  const columns: BreakdownColumn<AffiliateCost>[] = [
    {
      header: texts.affiliate,
      cell: ({ affiliate_id, email }) => (
        <Link to={`${home}/affiliates/${affiliate_id}`} className="block truncate text-accent">
          {email}
        </Link>
      ),
    },
    {
      header: texts.before,
      align: "end",
      roomy: true,
      width: "w-36",
      cell: ({ before_amount, currency }) => formatMoney(before_amount, currency),
    },
    {
      header: texts.after,
      align: "end",
      roomy: true,
      width: "w-36",
      cell: ({ after_amount, currency }) => formatMoney(after_amount, currency),
    },
    {
      header: texts.difference,
      align: "end",
      width: "w-32",
      cell: ({ before_amount, after_amount, currency }) => signed(after_amount - before_amount, currency),
    },
  ];
  return (
    <Breakdown
      fixed
      columns={columns}
      rows={rows}
      keyOf={({ affiliate_id, currency }) => `${affiliate_id} ${currency}`}
    />
  );
}

/** How many commissions wait for a review, with their sum, by currency. */
function Reviews({ rows }: { rows: readonly ReviewCost[] }) {
  const columns: BreakdownColumn<ReviewCost>[] = [
    { header: texts.currency, cell: ({ currency }) => currency },
    {
      header: texts.before,
      align: "end",
      cell: ({ before_payments, before_amount, currency }) =>
        texts.waiting(before_payments, formatMoney(before_amount, currency)),
    },
    {
      header: texts.after,
      align: "end",
      cell: ({ after_payments, after_amount, currency }) =>
        texts.waiting(after_payments, formatMoney(after_amount, currency)),
    },
  ];
  return <Breakdown fixed columns={columns} rows={rows} keyOf={({ currency }) => currency} />;
}

function Examples({ rows }: { rows: readonly Example[] }) {
  const { home } = useSession();
  const decided = ({ outcome, commission_amount }: Example["before"], currency: string) =>
    outcome === "commission" ? formatMoney(commission_amount, currency) : labels[outcome];
  const columns: BreakdownColumn<Example>[] = [
    {
      header: texts.payment,
      cell: ({ payment_decision_id, processor_payment_id, paid_at }) => (
        <>
          {payment_decision_id === null ? (
            <span className="block truncate font-mono text-meta">{processor_payment_id}</span>
          ) : (
            <Link
              to={`${home}/payments/${payment_decision_id}`}
              className="block truncate font-mono text-meta text-accent"
            >
              {processor_payment_id}
            </Link>
          )}
          <span className="text-meta text-muted">
            <Time at={paid_at} />
          </span>
        </>
      ),
    },
    {
      header: texts.before,
      align: "end",
      width: "w-40 max-wide:w-24",
      cell: ({ before, currency }) => decided(before, currency),
    },
    {
      header: texts.after,
      align: "end",
      width: "w-40 max-wide:w-28",
      cell: ({ after, currency }) => decided(after, currency),
    },
  ];
  return (
    <Breakdown
      fixed
      columns={columns}
      rows={rows}
      keyOf={({ processor_payment_id, paid_at }) => `${processor_payment_id} ${paid_at}`}
    />
  );
}
