import type { OwnPerformance, OwnPerformanceSeries } from "@findersfee/contract/reports/performance";
import type { ComparedPeriod } from "@findersfee/contract/reports/periods";
import { Lines } from "../charts/lines.tsx";
import { TimeSeries } from "../charts/time-series.tsx";
import { useClock } from "../components/clock.tsx";
import { Segments } from "../components/segments.tsx";
import type { Clock } from "../formats/clock.ts";
import { formatDay, formatDayOfYear, formatMonth, formatShortMonth } from "../formats/dates.ts";
import { useTexts } from "../texts.tsx";
import { useSource } from "./context.ts";
import { formatMetric, formatTick, isMoney, isSum } from "./formats.ts";
import type { Metric, Unit } from "./search.ts";

export interface ChartProps {
  series: OwnPerformanceSeries;
  performance: OwnPerformance;
  range: ComparedPeriod;
  metric: Metric;
  unit: Unit;
  units: readonly Unit[];
  nameOf: (key: string) => string;
}

/** The course of a metric: of everything, or a line for each chosen row. */
export function Chart({ series, performance, range, metric, unit, units, nameOf }: ChartProps) {
  const { texts, time_zone, currency, change, search } = useSource();
  const { locale } = useTexts();
  const format = { locale, currency: series.currency };
  const formatValue = (value: number | null) => formatMetric(metric, value, format);
  const lines = range.from === null ? withoutStart(series.series) : series.series;
  const labels = useLabels(lines[0]?.points.map(({ day }) => day) ?? [], unit);
  const { present, previous } = performance;
  const shared = {
    title: texts.chart(texts.metrics[metric]),
    summary: texts.summary(
      formatValue(present[metric]),
      previous === null ? null : formatValue(previous[metric]),
    ),
    formatTick: (value: number) => formatTick(metric, value, format),
    caption: texts.zone(time_zone, isMoney(metric) ? currency : null),
    controls: units.length > 1 && (
      <Segments
        label={texts.unit}
        segments={units.map((value) => ({ value, label: texts.units[value] }))}
        chosen={unit}
        onChoose={(value) => change({ unit: value === search.unit ? undefined : value })}
      />
    ),
  };
  const [only] = lines;
  if (only !== undefined && only.key === null && isSum(metric)) {
    return (
      <TimeSeries
        {...shared}
        formatValue={formatValue}
        height={180}
        points={only.points.map((point, index) => {
          const before = only.previous_points?.[index]?.[metric];
          const value = point[metric] ?? 0;
          return { ...labelOf(labels[index]), value, ...(typeof before === "number" ? { before } : {}) };
        })}
      />
    );
  }
  return (
    <Lines
      {...shared}
      formatValue={formatValue}
      labels={labels}
      lines={lines.map(({ key, points, previous_points }) => ({
        key: key ?? "",
        label: key === null ? texts.everything : nameOf(key),
        points: points.map((point, index) => ({
          value: point[metric],
          ...(previous_points === null ? {} : { before: previous_points[index]?.[metric] ?? null }),
        })),
      }))}
    />
  );
}

const labelOf = (label = { label: "", axis_label: "", is_open: false }) => label;

/** For all time, the months from the first one with a value. */
function withoutStart(series: OwnPerformanceSeries["series"]): OwnPerformanceSeries["series"] {
  const isUsed = (index: number) =>
    series.some(({ points }) => {
      const { day: _, conversion_rate, earnings_per_click, ...sums } = points[index] ?? { day: "" };
      return Object.values(sums).some((value) => value !== 0);
    });
  const count = series[0]?.points.length ?? 0;
  let start = 0;
  while (start < count - 2 && !isUsed(start)) start += 1;
  // A line needs two points.
  return series.map((one) => ({ ...one, points: one.points.slice(Math.min(start, Math.max(0, count - 2))) }));
}

/** The points' days in words. */
function useLabels(days: readonly string[], unit: Unit) {
  const { today } = useSource();
  const clock: Clock = { ...useClock(), time_zone: "UTC" };
  return days.map((day, index) => {
    const date = new Date(day);
    const is_month = unit === "month";
    const next = days[index + 1];
    return {
      label: is_month ? formatMonth(date, clock) : formatDay(date, clock),
      axis_label: is_month ? formatShortMonth(date, clock) : formatDayOfYear(date, clock),
      is_open: next === undefined && isOpen(day, today, unit),
    };
  });
}

/** Whether the last point has today in it. */
function isOpen(day: string, today: string, unit: Unit): boolean {
  if (day > today) return false;
  if (unit === "month") return day.slice(0, 7) === today.slice(0, 7);
  const days = (Date.parse(today) - Date.parse(day)) / 86_400_000;
  return days < (unit === "week" ? 7 - ((new Date(day).getUTCDay() + 6) % 7) : 1);
}
