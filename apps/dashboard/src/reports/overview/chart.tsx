import { TimeSeries } from "@findersfee/ui/charts/time-series";
import { useClock } from "@findersfee/ui/components/clock";
import { Segments } from "@findersfee/ui/components/segments";
import type { Clock } from "@findersfee/ui/formats/clock";
import {
  formatDay,
  formatDayOfYear,
  formatFullDay,
  formatMonth,
  formatShortMonth,
} from "@findersfee/ui/formats/dates";
import { formatMoneyShort } from "@findersfee/ui/formats/money";
import { dayIn } from "@findersfee/ui/lists/days";
import { useSession } from "../../session/session.tsx";
import { formatValue, isMoney, totalOf } from "./figures.ts";
import type { Overview } from "./queries.ts";
import { addDays } from "./range.ts";
import { type SeriesName, UNITS, type Unit } from "./search.ts";
import { texts } from "./texts.ts";

interface ChartProps {
  overview: Overview;
  series: SeriesName;
  unit: Unit;
  compares: boolean;
  onUnit: (unit: Unit) => void;
}

/** The course of one total, with the period before. */
export function Chart({
  overview: { present, previous, points, previous_points, currency },
  series,
  unit,
  compares,
  onUnit,
}: ChartProps) {
  const { organization } = useSession();
  const clock = useClock();
  const format = (value: number) => formatValue(value, series, currency);
  // While another unit loads, the points still have the former unit.
  const shown_unit = unitOfPoints(points) ?? unit;
  const lines = points.map((point, index) => {
    const before = previous_points[index];
    const is_last = index === points.length - 1;
    return {
      is_open: is_last && isOpen(point.day, shown_unit, organization.time_zone),
      label: labelOf(point.day, shown_unit, clock),
      axis_label: axisLabelOf(point.day, shown_unit, clock),
      value: totalOf(point, series),
      ...(compares && before !== undefined ? { before: totalOf(before, series) } : {}),
    };
  });
  return (
    <TimeSeries
      title={texts.series[series]}
      summary={texts.summary(
        format(totalOf(present, series)),
        compares ? format(totalOf(previous, series)) : null,
      )}
      points={lines}
      formatValue={format}
      formatTick={(value) => (isMoney(series) ? formatMoneyShort(value, currency) : texts.count(value))}
      caption={`${yearsOf(points, clock)}${texts.zone(organization.time_zone, isMoney(series) ? currency : null)}`}
      controls={
        <Segments
          label={texts.unit}
          segments={UNITS.map((value) => ({ value, label: texts.units[value] }))}
          chosen={unit}
          onChoose={onUnit}
        />
      }
    />
  );
}

/** Whether the day, week or month that begins with this day has today in it. */
function isOpen(day: string, unit: Unit, time_zone: string): boolean {
  const today = dayIn(time_zone, new Date());
  if (unit === "month") return day.slice(0, 7) === today.slice(0, 7);
  return day <= today && addDays(day, unit === "week" ? 7 : 1) > today;
}

/** The days are dates of the organization's zone, and not moments. */
function labelOf(day: string, unit: Unit, clock: Clock): string {
  const utc = { ...clock, time_zone: "UTC" };
  return unit === "month" ? formatMonth(new Date(day), utc) : formatDay(new Date(day), utc);
}

/** Without the year, which the cursor and the caption say. */
function axisLabelOf(day: string, unit: Unit, clock: Clock): string {
  const utc = { ...clock, time_zone: "UTC" };
  return unit === "month" ? formatShortMonth(new Date(day), utc) : formatDayOfYear(new Date(day), utc);
}

/** The first and the last day, if they lie in two years; else nothing. */
function yearsOf(points: Overview["points"], clock: Clock): string {
  const [first, last] = [points[0]?.day, points.at(-1)?.day];
  if (first === undefined || last === undefined || first.slice(0, 4) === last.slice(0, 4)) return "";
  const dayOf = (day: string) => formatFullDay(new Date(day), { ...clock, time_zone: "UTC" });
  return texts.years(dayOf(first), dayOf(last));
}

const DAY_MILLISECONDS = 86_400_000;

function unitOfPoints([first, second]: Overview["points"]): Unit | null {
  if (first === undefined || second === undefined) return null;
  const days = (Date.parse(second.day) - Date.parse(first.day)) / DAY_MILLISECONDS;
  if (days >= 28) return "month";
  return days >= 7 ? "week" : "day";
}
