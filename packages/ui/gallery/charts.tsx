import { Bars } from "../src/charts/bars.tsx";
import type { SeriesPoint } from "../src/charts/series-point.ts";
import { Spark } from "../src/charts/spark.tsx";
import { TimeSeries } from "../src/charts/time-series.tsx";
import { Card } from "../src/components/card.tsx";
import { formatMoney, formatMoneyShort } from "../src/formats/money.ts";

const points = (count: number): SeriesPoint[] =>
  Array.from({ length: count }, (_, index) => ({
    label: `Nov ${(index % 30) + 1}${index < 30 ? "" : ` (${Math.trunc(index / 30)})`}`,
    value: Math.round(1200 + 900 * Math.sin(index / 3) + index * 20),
    before: Math.round(1000 + 700 * Math.cos(index / 4)),
  }));

/** A program in its first week. */
const few_points: SeriesPoint[] = Array.from({ length: 30 }, (_, index) => ({
  label: `Nov ${index + 1}`,
  value: [2, 0, 1, 3, 2][index - 25] ?? 0,
  before: index === 20 ? 1 : 0,
  is_open: index === 29,
}));

const tick = (value: number) => formatMoneyShort(value, "USD");
const money = (value: number) => formatMoney(value, "USD");

export function Charts() {
  return (
    <div className="grid gap-4 pb-8">
      <Card>
        <TimeSeries
          title="Revenue"
          summary="From $1,200 on Nov 1 to $1,480 on Nov 30."
          points={points(30)}
          formatValue={money}
          formatTick={tick}
          caption="Days in Europe/Berlin."
        />
      </Card>
      <div className="grid gap-4 wide:grid-cols-2">
        <Card>
          <TimeSeries
            title="400 days"
            summary="Many points."
            points={points(400)}
            formatValue={money}
            formatTick={tick}
          />
        </Card>
        <Card>
          <TimeSeries
            title="One day"
            summary="One point."
            points={points(1)}
            formatValue={money}
            formatTick={tick}
          />
        </Card>
        <Card>
          <TimeSeries
            title="Sign-ups"
            summary="A few days with sign-ups."
            points={few_points}
            formatValue={String}
            caption="Days in Europe/Berlin."
          />
        </Card>
        <Card>
          <TimeSeries
            title="Last 30 days"
            summary="The last one is not over."
            points={points(30).map((point, index) => ({ ...point, is_open: index === 29 }))}
            formatValue={money}
            formatTick={tick}
          />
        </Card>
        <Card title="Where money stands">
          <Bars
            label="Where money stands"
            bars={[
              { id: "held", label: "Held", value: 6010, text: "$6,010.20" },
              { id: "due", label: "Due", value: 4120, text: "$4,120.50" },
              { id: "payout", label: "In payout", value: 0, text: "$0.00" },
            ]}
          />
        </Card>
        <Card title="Deliveries">
          <p>
            <Spark label="Deliveries per hour, 40 to 120" values={[40, 52, 48, 80, 120, 60, 72]} />
          </p>
        </Card>
      </div>
    </div>
  );
}
